//! A client's side of one HTTP/1.1 connection, with as little work as possible: what the load costs, the server lacks.

use std::io::{Error, ErrorKind, Result};
use std::net::SocketAddr;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// An open connection. Requests go over it one after the other.
pub struct Connection {
    stream: TcpStream,
    received: Vec<u8>,
}

impl Connection {
    pub async fn open(address: SocketAddr) -> Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, received: Vec::with_capacity(64 * 1024) })
    }

    /// Sends a request, reads the whole answer and returns its status. The answer must tell its length.
    pub async fn exchange(&mut self, request: &[u8]) -> Result<u16> {
        self.received.clear();
        self.stream.write_all(request).await?;
        let head = loop {
            self.receive().await?;
            if let Some(end) = position(&self.received, b"\r\n\r\n") {
                break end + 4;
            }
        };
        let length = content_length(&self.received[..head]).ok_or_else(|| invalid("an answer without a length"))?;
        while self.received.len() < head + length {
            self.receive().await?;
        }
        status(&self.received).ok_or_else(|| invalid("an answer without a status"))
    }

    /// The body of the last answer.
    pub fn body(&self) -> &[u8] {
        let head = position(&self.received, b"\r\n\r\n").map_or(0, |end| end + 4);
        &self.received[head..]
    }

    /// Sends a request whose answer is a stream.
    pub async fn begin(&mut self, request: &[u8]) -> Result<()> {
        self.received.clear();
        self.stream.write_all(request).await
    }

    /// Reads until this text has come in the answer to [`Self::begin`]. Any status but 200 is a refusal. An event arrives in one piece of the body, so
    /// the marks between the pieces never fall into the text.
    pub async fn until(&mut self, text: &[u8]) -> Result<()> {
        while position(&self.received, text).is_none() {
            self.receive().await?;
            if status(&self.received).is_some_and(|status| status != 200) {
                return Err(ErrorKind::ConnectionRefused.into());
            }
        }
        Ok(())
    }

    async fn receive(&mut self) -> Result<()> {
        match self.stream.read_buf(&mut self.received).await? {
            0 => Err(ErrorKind::UnexpectedEof.into()),
            _ => Ok(()),
        }
    }
}

fn invalid(what: &'static str) -> Error {
    Error::new(ErrorKind::InvalidData, what)
}

fn position(bytes: &[u8], part: &[u8]) -> Option<usize> {
    bytes.windows(part.len()).position(|window| window == part)
}

fn status(answer: &[u8]) -> Option<u16> {
    std::str::from_utf8(answer.strip_prefix(b"HTTP/1.1 ")?.get(..3)?).ok()?.parse().ok()
}

fn content_length(head: &[u8]) -> Option<usize> {
    const NAME: &[u8] = b"content-length:";
    let line = head
        .split(|&byte| byte == b'\n')
        .find(|line| line.get(..NAME.len()).is_some_and(|name| name.eq_ignore_ascii_case(NAME)))?;
    std::str::from_utf8(&line[NAME.len()..]).ok()?.trim().parse().ok()
}
