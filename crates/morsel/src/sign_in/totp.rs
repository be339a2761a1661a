//! Codes of authenticator apps: six digits that change every half minute (RFC 6238, with SHA-1, as all apps know it).

use hmac::{Hmac, KeyInit as _, Mac as _};
use jiff::Timestamp;
use sha1::Sha1;
use store::TotpSecret;

/// Seconds for which a code is shown.
const STEP_SECONDS: i64 = 30;
/// Codes of this many steps before and after are accepted too: clocks differ, and typing takes a while.
const TOLERANCE: i64 = 1;
const DIGITS: usize = 6;
/// RFC 4648.
const BASE32: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/// Returns the step whose code was typed, if it is a current one.
pub(crate) fn matching_step(secret: &TotpSecret, typed: &str, now: Timestamp) -> Option<i64> {
    let typed: String = typed.chars().filter(|c| !c.is_whitespace()).collect();
    let step = now.as_second().div_euclid(STEP_SECONDS);
    let matches = |step: &i64| is_equal(code(secret, *step).as_bytes(), typed.as_bytes());
    (step - TOLERANCE..=step + TOLERANCE).find(matches)
}

/// Returns the code of a step.
fn code(secret: &TotpSecret, step: i64) -> String {
    let mut mac = Hmac::<Sha1>::new_from_slice(secret.as_bytes()).expect("keys of any length are accepted");
    mac.update(&step.to_be_bytes());
    let hash = mac.finalize().into_bytes();
    let at = usize::from(hash[hash.len() - 1] & 15);
    let number = hash[at..at + 4].iter().fold(0_u32, |number, byte| number << 8 | u32::from(*byte)) & 0x7fff_ffff;
    format!("{:0DIGITS$}", number % 10_u32.pow(DIGITS as u32))
}

fn is_equal(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(0, |difference, (a, b)| difference | (a ^ b)) == 0
}

/// Returns a secret as people type it into an app: 32 letters and digits.
pub(crate) fn to_text(secret: &TotpSecret) -> String {
    let (chunks, _) = secret.as_bytes().as_chunks::<5>();
    let bits = |chunk: &[u8; 5]| chunk.iter().fold(0_u64, |bits, byte| bits << 8 | u64::from(*byte));
    let digit = |bits: u64, at: u32| char::from(BASE32[(bits >> (35 - 5 * at) & 31) as usize]);
    chunks.iter().flat_map(|chunk| (0..8).map(move |at| digit(bits(chunk), at))).collect()
}

/// Reads a secret; `None` if the text does not have exactly the form of [`to_text`].
pub(crate) fn from_text(text: &str) -> Option<TotpSecret> {
    let values: Option<Vec<u64>> =
        text.bytes().map(|byte| BASE32.iter().position(|digit| *digit == byte).map(|value| value as u64)).collect();
    let values = values?;
    let (chunks, rest) = values.as_chunks::<8>();
    let bytes: Vec<u8> = chunks
        .iter()
        .flat_map(|chunk| {
            let bits = chunk.iter().fold(0_u64, |bits, value| bits << 5 | value);
            bits.to_be_bytes().into_iter().skip(3)
        })
        .collect();
    TotpSecret::from_bytes(&bytes).filter(|_| rest.is_empty())
}

/// Returns the URI that an app reads from the picture.
pub(crate) fn uri(secret: &TotpSecret, email: &str) -> String {
    let email: String = form_urlencoded::byte_serialize(email.as_bytes()).collect();
    format!("otpauth://totp/Morsel:{email}?secret={}&issuer=Morsel", to_text(secret))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The secret of the examples in RFC 6238.
    fn example() -> TotpSecret {
        TotpSecret::from_bytes(b"12345678901234567890").expect("20 bytes")
    }

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).expect("a time")
    }

    #[test]
    fn codes_are_those_of_the_standard() {
        // The last six of its eight digits.
        for (second, expected) in [
            (59, "287082"),
            (1_111_111_109, "081804"),
            (1_111_111_111, "050471"),
            (1_234_567_890, "005924"),
            (2_000_000_000, "279037"),
            (20_000_000_000, "353130"),
        ] {
            assert_eq!(code(&example(), second / 30), expected);
            assert_eq!(matching_step(&example(), expected, at(second)), Some(second / 30));
        }
    }

    #[test]
    fn the_neighbors_of_the_current_code_are_accepted_and_no_others() {
        let step = 1_111_111_109 / 30;
        for (away, is_accepted) in [(-2, false), (-1, true), (0, true), (1, true), (2, false)] {
            let typed = code(&example(), step + away);
            let matched = matching_step(&example(), &format!(" {} {} ", &typed[..3], &typed[3..]), at(step * 30 + 7));
            assert_eq!(matched, is_accepted.then_some(step + away), "{away}");
        }
        for typed in ["", "08180", "0818044", "abcdef", "０81804"] {
            assert_eq!(matching_step(&example(), typed, at(1_111_111_109)), None, "{typed}");
        }
    }

    #[test]
    fn secrets_are_typed_and_scanned() {
        let text = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
        assert_eq!(to_text(&example()), text);
        assert_eq!(from_text(text), Some(example()));
        for wrong in ["", &text[1..], &format!("{text}GEZDGNBV"), &text.to_lowercase(), &text.replace('G', "1")] {
            assert_eq!(from_text(wrong), None, "{wrong}");
        }
        assert_eq!(
            uri(&example(), "ada+x@example.org"),
            format!("otpauth://totp/Morsel:ada%2Bx%40example.org?secret={text}&issuer=Morsel")
        );
    }
}
