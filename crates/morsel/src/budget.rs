//! Budgets: how much of something all accounts together may hold, and how much of it one account may hold.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use store::AccountId;

/// A budget, of bytes or of anything else that is counted.
#[derive(Clone, Debug)]
pub struct Budget {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    total: usize,
    per_account: usize,
    held: Mutex<Held>,
}

#[derive(Debug, Default)]
struct Held {
    total: usize,
    /// Clients without an account, who have yet to sign in, share one entry.
    by_account: HashMap<Option<AccountId>, usize>,
}

/// What an account holds of a budget. Dropping it gives it back.
#[derive(Debug)]
pub struct Reservation {
    shared: Arc<Shared>,
    account: Option<AccountId>,
    amount: usize,
}

/// There is not enough left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BudgetExceeded {
    /// Of what the account may hold.
    Account,
    /// Of what all may hold together.
    Total,
}

impl Budget {
    /// Creates a budget of which nothing is held.
    pub fn new(total: usize, per_account: usize) -> Self {
        Self { shared: Arc::new(Shared { total, per_account, held: Mutex::default() }) }
    }

    /// Returns an empty reservation.
    pub fn reservation(&self, account: Option<&AccountId>) -> Reservation {
        Reservation { shared: Arc::clone(&self.shared), account: account.cloned(), amount: 0 }
    }

    /// Reserves an amount for an account.
    pub fn reserve(&self, account: &AccountId, amount: usize) -> Result<Reservation, BudgetExceeded> {
        let mut reservation = self.reservation(Some(account));
        reservation.grow(amount)?;
        Ok(reservation)
    }

    /// Returns how much is held.
    pub fn held(&self) -> usize {
        self.shared.lock().total
    }
}

impl Reservation {
    /// Reserves more. If there is not enough left, the reservation stays as it is.
    pub fn grow(&mut self, by: usize) -> Result<(), BudgetExceeded> {
        if by == 0 {
            return Ok(());
        }
        let mut held = self.shared.lock();
        if held.total + by > self.shared.total {
            return Err(BudgetExceeded::Total);
        }
        let of_account = held.by_account.entry(self.account.clone()).or_default();
        if *of_account + by > self.shared.per_account {
            if *of_account == 0 {
                held.by_account.remove(&self.account);
            }
            return Err(BudgetExceeded::Account);
        }
        *of_account += by;
        held.total += by;
        self.amount += by;
        Ok(())
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        if self.amount == 0 {
            return;
        }
        let mut held = self.shared.lock();
        held.total -= self.amount;
        if let Some(of_account) = held.by_account.get_mut(&self.account) {
            *of_account -= self.amount;
            if *of_account == 0 {
                held.by_account.remove(&self.account);
            }
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use store::Rng;

    #[test]
    fn accounts_have_shares_and_all_together_a_limit() {
        let account = |seed| AccountId::generate(&mut Rng::seeded(seed));
        let [ada, bob, eve] = [account(1), account(2), account(3)];
        let budget = Budget::new(10, 4);
        let mut first = budget.reserve(&ada, 3).expect("enough");
        assert_eq!(first.grow(2), Err(BudgetExceeded::Account));
        first.grow(1).expect("exactly enough");
        assert_eq!(budget.reserve(&ada, 1).err(), Some(BudgetExceeded::Account));
        let second = budget.reserve(&bob, 4).expect("enough");
        let mut third = budget.reservation(None);
        third.grow(2).expect("the rest");
        assert_eq!(budget.reserve(&eve, 1).err(), Some(BudgetExceeded::Total));
        drop(first);
        assert_eq!(budget.held(), 6);
        drop(budget.reserve(&eve, 4).expect("given back"));
        drop((second, third));
        assert!(budget.held() == 0 && budget.shared.lock().by_account.is_empty());
    }
}
