//! What others notice of an account that takes what it can get, and of clients that do not read.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use anyhow::Result;
use serde::Serialize;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::spawn_local;
use tokio::time::sleep;

use crate::Stage;
use crate::levels::{meals, watched};
use crate::load::{Figures, NextRequest, at_full_speed, at_rate};
use crate::requests;

/// Connections of the accounts that behave.
const CONNECTIONS: usize = 128;
/// Connections of the account that does not.
const ABUSER_CONNECTIONS: usize = 256;
/// Photos are measured for longer than texts, since there are few of them.
const PHOTO_TIME: Duration = Duration::from_secs(20);
/// Photos of the accounts that behave, as a share of what the server can read.
const PHOTO_SHARE: f64 = 0.2;
/// Photos that the account that does not behave sends at once.
const ABUSER_PHOTOS: usize = 16;
/// Clients that read a little now and then.
const SLOW_READERS: usize = 5_000;

/// The same load alone and next to something else.
#[derive(Debug, Serialize)]
pub struct Beside {
    pub alone: Figures,
    pub together: Figures,
    /// What the other load got.
    pub other: Figures,
    pub peak_memory_mb: f64,
}

/// Texts at a fifth of the capacity, next to an account that sends three times the capacity.
pub async fn texts(stage: &Stage, capacity: f64) -> Result<Beside> {
    let abuser = at_rate(
        stage.server.address,
        ABUSER_CONNECTIONS,
        meals(stage, std::slice::from_ref(&stage.abuser)),
        capacity * 3.0,
        stage.time,
    );
    let abuser = async { Ok(abuser.await?.figures(stage.time)) };
    beside(stage, capacity / 5.0, stage.time, |_| meals(stage, &stage.keys), abuser).await
}

/// Photos at a fifth of the capacity, next to an account that always has many under way.
pub async fn photos(stage: &Stage, photo: &[u8]) -> Result<Beside> {
    let numbers = Rc::new(Cell::new(0));
    let source = |keys: &[String]| -> NextRequest {
        let (keys, photo, numbers) = (keys.to_vec(), photo.to_vec(), Rc::clone(&numbers));
        Rc::new(move |request| {
            let number: u64 = numbers.replace(numbers.get() + 1);
            *request = requests::photo(&keys[number as usize % keys.len()], &photo, number);
        })
    };
    let full = |keys, count, time| at_full_speed(stage.server.address, count, source(keys), time);
    // The first photos load the networks.
    full(&stage.keys, 2, stage.time).await;
    let capacity = full(&stage.keys, 2, stage.time).await.figures(stage.time).answered_per_second;
    eprintln!("{capacity:.2} photos per second");
    let abuser = async {
        let time = PHOTO_TIME + Duration::from_secs(2);
        Ok(full(std::slice::from_ref(&stage.abuser), ABUSER_PHOTOS, time).await.figures(time))
    };
    beside(stage, capacity * PHOTO_SHARE, PHOTO_TIME, |stage| source(&stage.keys), abuser).await
}

/// Texts at a fifth of the capacity, next to thousands of clients that hardly read their streams.
pub async fn slow_readers(stage: &Stage, capacity: f64) -> Result<Beside> {
    let readers = async {
        let address = stage.server.address;
        let body = format!(r#"{{"messages":[{{"role":"user","content":"{}"}}]}}"#, "egg, ".repeat(1_000));
        let mut tasks = Vec::new();
        for number in 0..SLOW_READERS {
            let key = &stage.readers[number % stage.readers.len()];
            let request = format!(
                "POST /v1/estimate HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {key}\r\nContent-Length: {}\r\n\r\n{body}",
                body.len()
            );
            tasks.push(spawn_local(async move {
                let mut stream = TcpStream::connect(address).await?;
                stream.write_all(request.as_bytes()).await?;
                let mut piece = [0; 256];
                loop {
                    sleep(Duration::from_secs(1)).await;
                    if stream.read(&mut piece).await? == 0 {
                        return std::io::Result::Ok(());
                    }
                }
            }));
            if number % 100 == 0 {
                sleep(Duration::from_millis(20)).await;
            }
        }
        sleep(stage.time).await;
        let open = tasks.iter().filter(|task| !task.is_finished()).count();
        tasks.iter().for_each(tokio::task::JoinHandle::abort);
        eprintln!("{open} slow readers were open at the end");
        Ok(Figures { offered_per_second: SLOW_READERS as f64, answered_per_second: open as f64, ..Figures::default() })
    };
    beside(stage, capacity / 5.0, stage.time, |_| meals(stage, &stage.keys), readers).await
}

async fn beside(
    stage: &Stage,
    rate: f64,
    time: Duration,
    source: impl Fn(&Stage) -> NextRequest,
    other: impl Future<Output = Result<Figures>>,
) -> Result<Beside> {
    let send = |next| at_rate(stage.server.address, CONNECTIONS, next, rate, time);
    let alone = send(source(stage)).await?.figures(time);
    sleep(Duration::from_secs(1)).await;
    let both = async {
        let (other, own) = tokio::join!(other, async {
            // The other load is there first.
            sleep(Duration::from_millis(500)).await;
            send(source(stage)).await
        });
        Ok((other?, own?.figures(time)))
    };
    let ((other, together), peak_memory_mb) = watched(stage, both).await?;
    sleep(Duration::from_secs(1)).await;
    let beside = Beside { alone, together, other, peak_memory_mb };
    eprintln!("{beside:?}");
    Ok(beside)
}
