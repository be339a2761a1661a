//! The second factor of an account: the secret of its authenticator app, recovery codes, and sign-ins that wait for a code.
//!
//! Recovery codes have 80 random bits and challenges 256; only their SHA-256 is stored. What a code must be at a time is
//! not computed here: this module keeps the secret, and makes sure that no code is accepted twice.

use std::fmt;

use jiff::Timestamp;
use sha2::{Digest, Sha256};

use crate::accounts::lock_account;
use crate::base62;
use crate::db::{Db, Tx, whole_micros};
use crate::error::Error;
use crate::id::AccountId;
use crate::random::Rng;
use crate::store::Store;

/// Recovery codes that an account gets.
pub const RECOVERY_CODES: usize = 10;

/// 160 bits, as long as the hash that authenticator apps use.
const SECRET_BYTES: usize = 20;
/// 43 characters of base62 carry 256 bits.
const TOKEN_LENGTH: usize = 43;
/// Characters of a recovery code, without the hyphens: 80 bits.
const CODE_LENGTH: usize = 16;
/// Without those that are easily mistaken for each other: no l, o, 0 and 1.
const CODE_ALPHABET: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

/// The secret that the service shares with an authenticator app. Never shown in debug output.
#[derive(Clone, PartialEq, Eq)]
pub struct TotpSecret([u8; SECRET_BYTES]);

/// The second factor of an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecondFactor {
    /// The secret.
    pub secret: TotpSecret,
    /// When it was turned on.
    pub created_at: Timestamp,
    /// Recovery codes that have not been used.
    pub codes_left: u64,
}

/// A sign-in that waits for a code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Challenge {
    /// The account.
    pub account_id: AccountId,
    /// Whether it began with a sign-in link.
    pub is_by_link: bool,
}

/// The second factors of a store.
#[derive(Debug, Clone, Copy)]
pub struct SecondFactors<'a> {
    db: &'a Db,
}

impl Store {
    /// Returns the second factors.
    pub fn second_factors(&self) -> SecondFactors<'_> {
        SecondFactors { db: &self.db }
    }
}

impl SecondFactors<'_> {
    /// Returns the second factor of an account, if it is on.
    pub async fn of(self, account: &AccountId) -> Result<Option<SecondFactor>, Error> {
        let sql = "SELECT secret, created_at,
                       (SELECT COUNT(*) FROM recovery_codes WHERE recovery_codes.account_id = $1) AS codes_left
                   FROM second_factors WHERE account_id = $1";
        let row = self.db.read_one(sql, vec![account.as_str().into()]).await?;
        row.map(|row| {
            let secret = row.opt_blob("secret")?.and_then(|bytes| TotpSecret::from_bytes(&bytes));
            Ok(SecondFactor {
                secret: secret.ok_or_else(|| Error::Corrupt("the secret of a second factor".to_owned()))?,
                created_at: row.time("created_at")?,
                codes_left: row.unsigned("codes_left")?,
            })
        })
        .transpose()
    }

    /// Turns the second factor on, after a code for `step`; returns its recovery codes, or `None` if it is on already.
    pub async fn turn_on(
        self,
        account: &AccountId,
        secret: &TotpSecret,
        step: i64,
        now: Timestamp,
        rng: &mut Rng,
    ) -> Result<Option<Vec<String>>, Error> {
        let mut tx = self.db.begin().await?;
        lock_account(&mut tx, account).await?;
        let sql = "INSERT INTO second_factors (account_id, secret, created_at, last_step) VALUES ($1, $2, $3, $4)
                   ON CONFLICT (account_id) DO NOTHING";
        let values =
            vec![account.as_str().into(), secret.as_bytes().as_slice().into(), whole_micros(now).into(), step.into()];
        if tx.execute(sql, values).await? == 0 {
            tx.rollback().await?;
            return Ok(None);
        }
        let codes = replace_codes(&mut tx, account, rng).await?;
        tx.commit().await?;
        Ok(Some(codes))
    }

    /// Replaces the recovery codes; returns the new ones, or `None` if the second factor is off.
    pub async fn replace_recovery_codes(
        self,
        account: &AccountId,
        rng: &mut Rng,
    ) -> Result<Option<Vec<String>>, Error> {
        let mut tx = self.db.begin().await?;
        // A row lock in both databases: of two requests at once, one replaces the codes of the other.
        let sql = "UPDATE second_factors SET last_step = last_step WHERE account_id = $1";
        if tx.execute(sql, vec![account.as_str().into()]).await? == 0 {
            tx.rollback().await?;
            return Ok(None);
        }
        let codes = replace_codes(&mut tx, account, rng).await?;
        tx.commit().await?;
        Ok(Some(codes))
    }

    /// Spends the code of a step: `true` for the first caller, `false` for every later one, and for codes of earlier steps.
    pub async fn spend_step(self, account: &AccountId, step: i64) -> Result<bool, Error> {
        let sql = "UPDATE second_factors SET last_step = $2 WHERE account_id = $1 AND last_step < $2";
        Ok(self.db.write(sql, vec![account.as_str().into(), step.into()]).await? == 1)
    }

    /// Spends a recovery code, typed with or without hyphens: `true` for the first caller only.
    pub async fn spend_recovery_code(self, account: &AccountId, code: &str) -> Result<bool, Error> {
        let code: String = code.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
        if code.len() != CODE_LENGTH {
            return Ok(false);
        }
        let sql = "DELETE FROM recovery_codes WHERE account_id = $1 AND code_hash = $2";
        Ok(self.db.write(sql, vec![account.as_str().into(), hash(&code).as_slice().into()]).await? == 1)
    }

    /// Turns the second factor off; returns `false` if it was off.
    pub async fn turn_off(self, account: &AccountId) -> Result<bool, Error> {
        let mut tx = self.db.begin().await?;
        for sql in
            ["DELETE FROM recovery_codes WHERE account_id = $1", "DELETE FROM sign_in_challenges WHERE account_id = $1"]
        {
            tx.execute(sql, vec![account.as_str().into()]).await?;
        }
        let sql = "DELETE FROM second_factors WHERE account_id = $1";
        let was_on = tx.execute(sql, vec![account.as_str().into()]).await? == 1;
        tx.commit().await?;
        Ok(was_on)
    }

    /// Creates a challenge for somebody who still has to enter a code. The token is returned only here.
    pub async fn create_challenge(
        self,
        challenge: &Challenge,
        expires_at: Timestamp,
        rng: &mut Rng,
    ) -> Result<String, Error> {
        let token = base62::random(TOKEN_LENGTH, rng);
        let sql =
            "INSERT INTO sign_in_challenges (token_hash, account_id, is_by_link, expires_at) VALUES ($1, $2, $3, $4)";
        let values = vec![
            hash(&token).as_slice().into(),
            challenge.account_id.as_str().into(),
            challenge.is_by_link.into(),
            expires_at.into(),
        ];
        self.db.write(sql, values).await?;
        Ok(token)
    }

    /// Returns a challenge that has not expired.
    pub async fn challenge(self, token: &str, now: Timestamp) -> Result<Option<Challenge>, Error> {
        let sql = "SELECT account_id, is_by_link FROM sign_in_challenges WHERE token_hash = $1 AND expires_at > $2";
        let row = self.db.read_one(sql, vec![hash(token).as_slice().into(), now.into()]).await?;
        row.map(|row| {
            Ok(Challenge { account_id: row.account_id("account_id")?, is_by_link: row.int("is_by_link")? != 0 })
        })
        .transpose()
    }

    /// Ends a challenge: `true` for the first caller only.
    pub async fn end_challenge(self, token: &str) -> Result<bool, Error> {
        let sql = "DELETE FROM sign_in_challenges WHERE token_hash = $1";
        Ok(self.db.write(sql, vec![hash(token).as_slice().into()]).await? == 1)
    }
}

impl TotpSecret {
    /// Generates a secret.
    pub fn generate(rng: &mut Rng) -> Self {
        let mut secret = [0; SECRET_BYTES];
        secret.copy_from_slice(&rng.bytes()[..SECRET_BYTES]);
        Self(secret)
    }

    /// Returns the secret with these bytes; `None` if there are more or fewer than 20.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(Self)
    }

    /// Returns the bytes.
    pub fn as_bytes(&self) -> &[u8; SECRET_BYTES] {
        &self.0
    }
}

impl fmt::Debug for TotpSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TotpSecret(…)")
    }
}

async fn replace_codes(tx: &mut Tx, account: &AccountId, rng: &mut Rng) -> Result<Vec<String>, Error> {
    tx.execute("DELETE FROM recovery_codes WHERE account_id = $1", vec![account.as_str().into()]).await?;
    let mut codes = Vec::with_capacity(RECOVERY_CODES);
    for _ in 0..RECOVERY_CODES {
        let code: String = rng
            .bytes()
            .iter()
            .take(CODE_LENGTH)
            .map(|byte| char::from(CODE_ALPHABET[usize::from(byte % 32)]))
            .collect();
        let sql = "INSERT INTO recovery_codes (account_id, code_hash) VALUES ($1, $2)";
        tx.execute(sql, vec![account.as_str().into(), hash(&code).as_slice().into()]).await?;
        codes.push(format!("{}-{}-{}-{}", &code[..4], &code[4..8], &code[8..12], &code[12..]));
    }
    Ok(codes)
}

fn hash(text: &str) -> [u8; 32] {
    Sha256::digest(text).into()
}
