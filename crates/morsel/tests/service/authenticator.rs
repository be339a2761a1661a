//! An authenticator app, written from the standard and not from the service's own code.

use hmac::{Hmac, KeyInit as _, Mac as _};
use jiff::Timestamp;
use sha1::Sha1;

/// Returns the code that an app with this secret shows at a time.
pub fn code(secret: &str, now: Timestamp) -> String {
    let mut bits = Vec::new();
    for letter in secret.bytes() {
        let value = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".bytes().position(|known| known == letter).expect("base32");
        bits.extend((0..5).rev().map(|bit| value >> bit & 1 == 1));
    }
    let bytes: Vec<u8> =
        bits.chunks_exact(8).map(|bits| bits.iter().fold(0, |byte, bit| byte << 1 | u8::from(*bit))).collect();
    let mut mac = Hmac::<Sha1>::new_from_slice(&bytes).expect("a key");
    mac.update(&(now.as_second() as u64 / 30).to_be_bytes());
    let hash = mac.finalize().into_bytes();
    let at = usize::from(hash[19] & 0xf);
    let number = u32::from_be_bytes(hash[at..at + 4].try_into().expect("four bytes")) & 0x7fff_ffff;
    format!("{:06}", number % 1_000_000)
}
