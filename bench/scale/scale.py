"""Throughput of one, two and three servers at a fixed share of a core each, and the cost of shared limits.

Every server is in a cgroup of its own with a CPU quota (cgroup v1 or v2; needs root), so that the clients have the rest of the machine
and more servers mean more processor time. Without cgroups the servers are not limited, and the figures say so.
"""

import argparse
import json
import multiprocessing
import os
import random
import re
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import uuid

WORDS = "egg rye bread milk apple rice bean salmon oat yogurt carrot lentil pasta butter honey walnut spinach potato onion cheese".split()


def cpu_limited(pid, share):
    """Puts a process into a cgroup with a share of one core; returns whether that worked."""
    name = f"morsel-scale-{pid}"
    for root, files in [
        ("/sys/fs/cgroup", {"cpu.max": f"{int(share * 100_000)} 100000"}),
        ("/sys/fs/cgroup/cpu", {"cpu.cfs_period_us": "100000", "cpu.cfs_quota_us": str(int(share * 100_000))}),
    ]:
        folder = os.path.join(root, name)
        # Other file systems would take the files, too, and do nothing.
        if not os.path.exists(os.path.join(root, "cgroup.procs")):
            continue
        try:
            os.mkdir(folder)
            for file, value in files.items():
                with open(os.path.join(folder, file), "w") as out:
                    out.write(value)
            with open(os.path.join(folder, "cgroup.procs"), "w") as out:
                out.write(str(pid))
            return folder
        except OSError:
            if os.path.isdir(folder):
                os.rmdir(folder)
    return None


class Server:
    def __init__(self, morsel, database, redis, share, core=None):
        self.folder = tempfile.TemporaryDirectory()
        command = [morsel, "serve", "--listen", "127.0.0.1:0", "--log-level", "warn", "--plan-limits", "scale=100000000"]
        environment = {**os.environ, "MORSEL_DATA_DIR": self.folder.name, "MORSEL_DATABASE_URL": database}
        if redis:
            environment["MORSEL_REDIS_URL"] = redis
        self.process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for line in self.process.stderr:
            found = re.match(r"morsel: ready at http://(\S+)", line)
            if found:
                break
        host, port = found.group(1).split(":")
        self.address = (host, int(port))
        self.cgroup = cpu_limited(self.process.pid, share) if share else None

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()
        if self.cgroup:
            os.rmdir(self.cgroup)
        self.folder.cleanup()


def request(text, key):
    body = json.dumps({"messages": [{"role": "user", "content": text}]}).encode()
    head = f"POST /v1/estimate/sync HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {key}\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


def search(text, key):
    path = "/v1/foods?q=" + text.replace(" ", "+")
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {key}\r\n\r\n".encode()


def exchange(connection, message):
    """Sends a request and reads the whole answer; returns its status."""
    connection.sendall(message)
    data = b""
    while b"\r\n\r\n" not in data:
        piece = connection.recv(65536)
        if not piece:
            raise ConnectionError("closed")
        data += piece
    head, _, body = data.partition(b"\r\n\r\n")
    length = int(re.search(rb"content-length: (\d+)", head, re.I).group(1))
    while len(body) < length:
        body += connection.recv(65536)
    return int(head[9:12])


def client(address, key, make, seconds, seed, out):
    """Sends all-different requests over one connection for some seconds."""
    dice = random.Random(seed)
    connection = socket.create_connection(address)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    latencies, end = [], time.monotonic() + seconds
    while time.monotonic() < end:
        text = " ".join(dice.sample(WORDS, 3)) if make is search else f"{dice.randint(1, 400)} g {', '.join(dice.sample(WORDS, 3))}"
        begun = time.perf_counter()
        status = exchange(connection, make(text, key))
        if status == 200:
            latencies.append(time.perf_counter() - begun)
    out.put(latencies)


def measure(servers, key, make, seconds, clients):
    out = multiprocessing.Queue()
    # Each client stays with a server, as behind a load balancer: one whose quota is used up must not keep the others waiting.
    arguments = [(servers[seed % len(servers)].address, key, make, seconds, seed, out) for seed in range(clients)]
    processes = [multiprocessing.Process(target=client, args=each) for each in arguments]
    for process in processes:
        process.start()
    latencies = [latency for _ in processes for latency in out.get()]
    for process in processes:
        process.join()
    latencies.sort()
    return {
        "per_second": round(len(latencies) / seconds, 1),
        "p50_ms": round(statistics.median(latencies) * 1e3, 3),
        "p99_ms": round(latencies[int(len(latencies) * 0.99)] * 1e3, 3),
    }


def new_database(admin):
    name = f"scale_{uuid.uuid4().hex[:12]}"
    folder = re.search(r"host=([^&]+)", admin).group(1)
    programs = subprocess.run("ls -d /usr/lib/postgresql/*/bin | sort -V | tail -1", shell=True, capture_output=True, text=True)
    psql = os.path.join(programs.stdout.strip(), "psql")
    subprocess.run([psql, "-qh", folder, "-U", "postgres", "-c", f"CREATE DATABASE {name}"], check=True)
    return admin.replace("/postgres?", f"/{name}?")


def owner_key(morsel, database):
    environment = {**os.environ, "MORSEL_DATABASE_URL": database}
    run = lambda *arguments: subprocess.run([morsel, *arguments], env=environment, check=True, capture_output=True, text=True).stdout
    run("account", "create", "--email", "load@example.com")
    run("account", "set-plan", "--email", "load@example.com", "--plan", "scale")
    return run("key", "create", "--email", "load@example.com").strip()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--morsel", required=True, help="the program")
    parser.add_argument("--seconds", type=float, default=10, help="of each measurement")
    parser.add_argument("--share", type=float, default=0.2, help="share of a core for each server")
    parser.add_argument("--clients", type=int, default=12, help="connections, shared evenly by the servers")
    parser.add_argument("--out", default="bench/scale/results/latest.json")
    options = parser.parse_args()
    redis, admin = os.environ["MORSEL_TEST_REDIS_URL"], os.environ["MORSEL_TEST_POSTGRES_URL"]
    results = {"share_of_a_core": options.share, "seconds": options.seconds, "cores": os.cpu_count(), "load_before": os.getloadavg()[0]}

    database = new_database(admin)
    key = owner_key(options.morsel, database)
    for count in (1, 2, 3):
        servers = [Server(options.morsel, database, redis, options.share) for _ in range(count)]
        results["is_limited"] = all(server.cgroup for server in servers)
        measure(servers, key, request, 1, options.clients)
        results[f"servers_{count}"] = measure(servers, key, request, options.seconds, options.clients)
        for server in servers:
            server.stop()
    results["three_to_one"] = round(results["servers_3"]["per_second"] / results["servers_1"]["per_second"], 2)

    # In turn and several times, since a shared machine is not always equally fast.
    medians = {"local": [], "shared": []}
    servers = {"local": Server(options.morsel, database, None, None), "shared": Server(options.morsel, database, redis, None)}
    for _ in range(5):
        for name, server in servers.items():
            medians[name].append(measure([server], key, search, options.seconds / 5, 1)["p50_ms"])
    for server in servers.values():
        server.stop()
    results["search_p50_ms"] = {name: min(values) for name, values in medians.items()}
    results["cost_of_shared_limits_ms"] = round(results["search_p50_ms"]["shared"] - results["search_p50_ms"]["local"], 3)
    os.makedirs(os.path.dirname(options.out), exist_ok=True)
    with open(options.out, "w") as out:
        json.dump(results, out, indent=2)
        out.write("\n")
    json.dump(results, sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
