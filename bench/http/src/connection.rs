//! A minimal HTTP/1.1 client: every cycle that the load takes is missing from the server.

use std::io::{Error, ErrorKind, Result};
use std::net::SocketAddr;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// An open connection. Requests are sent one after the other.
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

    /// Sends a request, reads the whole response and returns its status. The response must have a length.
    pub async fn exchange(&mut self, request: &[u8]) -> Result<u16> {
        self.received.clear();
        self.stream.write_all(request).await?;
        let head = loop {
            self.receive().await?;
            if let Some(end) = position(&self.received, b"\r\n\r\n") {
                break end + 4;
            }
        };
        let length = content_length(&self.received[..head]).ok_or_else(|| invalid("a response without a length"))?;
        while self.received.len() < head + length {
            self.receive().await?;
        }
        status(&self.received).ok_or_else(|| invalid("a response without a status"))
    }

    /// Returns the body of the last response.
    pub fn body(&self) -> &[u8] {
        let head = position(&self.received, b"\r\n\r\n").map_or(0, |end| end + 4);
        &self.received[head..]
    }

    /// Sends a request whose response is a stream.
    pub async fn begin(&mut self, request: &[u8]) -> Result<()> {
        self.received.clear();
        self.stream.write_all(request).await
    }

    /// Reads the response to [`Self::begin`] until it contains this text. Any status other than 200 is a rejection. An
    /// event arrives in one chunk of the body, so that chunk headers never split the text.
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
