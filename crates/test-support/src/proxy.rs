//! A TCP proxy that can be cut, slowed and reset, for what happens when a server is not reachable.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// What is behind a proxy.
#[derive(Clone, Debug)]
enum Target {
    Tcp(SocketAddr),
    Unix(PathBuf),
}

/// A proxy on a port of its own.
#[derive(Debug)]
pub struct Proxy {
    address: SocketAddr,
    state: Arc<Mutex<ProxyState>>,
}

#[derive(Debug, Default)]
struct ProxyState {
    is_cut: bool,
    delay: Duration,
    /// Both ends of every connection, so that they can be closed.
    open: Vec<End>,
}

#[derive(Debug)]
enum End {
    Tcp(TcpStream),
    Unix(UnixStream),
}

impl Proxy {
    /// Starts a proxy to an address.
    pub fn to(target: SocketAddr) -> Self {
        Self::start(Target::Tcp(target))
    }

    /// Starts a proxy to a socket of this machine.
    pub fn to_socket(path: PathBuf) -> Self {
        Self::start(Target::Unix(path))
    }

    fn start(target: Target) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let state: Arc<Mutex<ProxyState>> = Arc::default();
        let shared = Arc::clone(&state);
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                // A client that cannot be connected is closed at once, as if nobody listened.
                let _ = connect(client, &target, &shared);
            }
        });
        Self { address, state }
    }

    /// The address of the proxy.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Closes every connection and accepts none until [`Proxy::restore`].
    pub fn cut(&self) {
        self.lock().is_cut = true;
        self.reset();
    }

    /// Closes every connection; new ones work.
    pub fn reset(&self) {
        for end in self.lock().open.drain(..) {
            end.close();
        }
    }

    /// Delays everything that the server sends.
    pub fn slow(&self, by: Duration) {
        self.lock().delay = by;
    }

    /// Works as it should again.
    pub fn restore(&self) {
        let mut state = self.lock();
        (state.is_cut, state.delay) = (false, Duration::ZERO);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, ProxyState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl End {
    fn close(&self) {
        // It may be closed already.
        let _ = match self {
            Self::Tcp(stream) => stream.shutdown(Shutdown::Both),
            Self::Unix(stream) => stream.shutdown(Shutdown::Both),
        };
    }

    fn clone_of(&self) -> std::io::Result<Self> {
        Ok(match self {
            Self::Tcp(stream) => Self::Tcp(stream.try_clone()?),
            Self::Unix(stream) => Self::Unix(stream.try_clone()?),
        })
    }

    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        match self {
            Self::Tcp(stream) => stream.read(buffer),
            Self::Unix(stream) => stream.read(buffer),
        }
    }

    fn write_all(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        match self {
            Self::Tcp(stream) => stream.write_all(bytes),
            Self::Unix(stream) => stream.write_all(bytes),
        }
    }
}

fn connect(client: TcpStream, target: &Target, state: &Arc<Mutex<ProxyState>>) -> std::io::Result<()> {
    if state.lock().unwrap_or_else(PoisonError::into_inner).is_cut {
        return Ok(());
    }
    let server = match target {
        Target::Tcp(address) => {
            let stream = TcpStream::connect(address)?;
            stream.set_nodelay(true)?;
            End::Tcp(stream)
        }
        Target::Unix(path) => End::Unix(UnixStream::connect(path)?),
    };
    client.set_nodelay(true)?;
    let client = End::Tcp(client);
    let ends = [client.clone_of()?, server.clone_of()?];
    state.lock().unwrap_or_else(PoisonError::into_inner).open.extend(ends);
    let (from_client, to_server) = (client.clone_of()?, server.clone_of()?);
    thread::spawn(move || copy(from_client, to_server, None));
    let state = Arc::clone(state);
    thread::spawn(move || copy(server, client, Some(&state)));
    Ok(())
}

/// Copies until one end closes, with the delay of the moment.
fn copy(mut from: End, mut to: End, delayed: Option<&Arc<Mutex<ProxyState>>>) {
    let mut buffer = vec![0; 64 * 1024];
    while let Ok(length @ 1..) = from.read(&mut buffer) {
        let delay = delayed.map_or(Duration::ZERO, |state| state.lock().unwrap_or_else(PoisonError::into_inner).delay);
        if !delay.is_zero() {
            thread::sleep(delay);
        }
        if to.write_all(&buffer[..length]).is_err() {
            break;
        }
    }
    from.close();
    to.close();
}
