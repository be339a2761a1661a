//! The permissions of a key as checkboxes.

use store::Scope;

/// The checkbox of a permission.
#[derive(Clone, Debug)]
pub(super) struct ScopeChoice {
    pub name: &'static str,
    pub hint: &'static str,
    pub is_checked: bool,
}

impl ScopeChoice {
    /// Returns the checkboxes of all permissions.
    pub fn all(is_checked: impl Fn(Scope) -> bool) -> Vec<Self> {
        let choice = |scope: Scope| Self {
            name: scope.name(),
            hint: match scope {
                Scope::Estimate => "estimate meals from text and photos",
                Scope::Upload => "upload and delete photos",
                Scope::FoodsRead => "search the food database",
                Scope::RecipesRead => "read your recipes",
                Scope::RecipesWrite => "create, change and delete your recipes",
            },
            is_checked: is_checked(scope),
        };
        Scope::ALL.map(choice).into()
    }
}
