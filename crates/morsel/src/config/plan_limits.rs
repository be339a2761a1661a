//! Rate limits by plan.

use store::Plan;

/// Requests per minute by plan, and pages of the dashboard per minute, which are the same for all.
#[derive(Clone, Copy, Debug)]
pub struct PlanLimits {
    free: u32,
    starter: u32,
    pro: u32,
    scale: u32,
    pages: u32,
}

impl Default for PlanLimits {
    fn default() -> Self {
        Self { free: 60, starter: 300, pro: 1_200, scale: 12_000, pages: 120 }
    }
}

impl PlanLimits {
    /// Reads entries such as `pro=1200`; plans without one keep their default.
    pub(super) fn parse(list: &[String]) -> Result<Self, String> {
        let mut limits = Self::default();
        for entry in list.iter().map(|entry| entry.trim()).filter(|entry| !entry.is_empty()) {
            let wrong = || {
                let known = "plans are free, starter, pro and scale; “pages” is for the dashboard";
                format!("plan limit “{entry}” must look like pro=1200; {known}")
            };
            let (name, limit) = entry.split_once('=').ok_or_else(wrong)?;
            let limit = limit.trim().parse().ok().filter(|limit| *limit > 0).ok_or_else(wrong)?;
            match name.trim() {
                "pages" => limits.pages = limit,
                plan => *limits.of_mut(plan.parse().map_err(|_| wrong())?) = limit,
            }
        }
        Ok(limits)
    }

    /// Returns the limit of a plan.
    pub fn of(mut self, plan: Plan) -> u32 {
        *self.of_mut(plan)
    }

    /// Returns how many pages of the dashboard an account may open in a minute.
    pub fn pages(self) -> u32 {
        self.pages
    }

    fn of_mut(&mut self, plan: Plan) -> &mut u32 {
        match plan {
            Plan::Free => &mut self.free,
            Plan::Starter => &mut self.starter,
            Plan::Pro => &mut self.pro,
            Plan::Scale => &mut self.scale,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_entry_sets_its_plan_and_no_other() {
        let limits = PlanLimits::parse(&["pro=7".to_owned(), " free = 5 ".to_owned()]).expect("valid");
        assert_eq!(Plan::ALL.map(|plan| limits.of(plan)), [5, 300, 7, 12_000]);
        assert_eq!(limits.pages(), 120);
        let limits = PlanLimits::parse(&["pages=9".to_owned()]).expect("valid");
        assert_eq!((limits.pages(), limits.of(Plan::Free)), (9, 60));
        for wrong in ["pro", "pro=", "pro=0", "pro=-1", "gold=5"] {
            assert!(PlanLimits::parse(&[wrong.to_owned()]).is_err(), "{wrong}");
        }
    }
}
