//! Every route of the API with the permission that it needs. A test compares these tables with the OpenAPI documents, so
//! that no route is missing here.

use axum::http::Method;
use store::Scope;

/// A route of the API.
#[derive(Debug)]
pub struct Route {
    /// The HTTP method.
    pub method: Method,
    /// The path, as in the router.
    pub path: &'static str,
    /// Method and path, as statistics show them.
    pub name: &'static str,
    /// The scope that a key must have; `None` if any valid key will do.
    pub scope: Option<Scope>,
    /// The work that a request with a body means.
    pub work: Option<Work>,
}

/// Work that may be refused before the body is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// The estimate of a meal: a text and, if the body is large, photos.
    Estimate,
    /// A photo.
    Photo,
}

impl Route {
    /// Reports whether a request has no effect and always gets the same response: an estimate.
    pub fn is_repeatable(&self) -> bool {
        self.scope == Some(Scope::Estimate)
    }
}

macro_rules! route {
    ($method:ident $path:literal $scope:expr) => {
        route!($method $path $scope, None)
    };
    ($method:ident $path:literal $scope:expr, $work:expr) => {
        Route {
            method: Method::$method,
            path: $path,
            name: concat!(stringify!($method), " ", $path),
            scope: $scope,
            work: $work,
        }
    };
}

/// Every route of our own API that needs a key.
pub static ROUTES: [Route; 14] = [
    route!(POST "/v1/estimate/sync" Some(Scope::Estimate), Some(Work::Estimate)),
    route!(POST "/v1/estimate" Some(Scope::Estimate), Some(Work::Estimate)),
    route!(POST "/v1/estimate/batch" Some(Scope::Estimate), Some(Work::Estimate)),
    route!(GET "/v1/foods" Some(Scope::FoodsRead)),
    route!(GET "/v1/foods/{id}" Some(Scope::FoodsRead)),
    route!(GET "/v1/foods/barcode/{gtin}" Some(Scope::FoodsRead)),
    route!(GET "/v1/recipes" Some(Scope::RecipesRead)),
    route!(POST "/v1/recipes" Some(Scope::RecipesWrite)),
    route!(GET "/v1/recipes/{id}" Some(Scope::RecipesRead)),
    route!(PUT "/v1/recipes/{id}" Some(Scope::RecipesWrite)),
    route!(DELETE "/v1/recipes/{id}" Some(Scope::RecipesWrite)),
    route!(POST "/v1/upload/base64" Some(Scope::Upload), Some(Work::Photo)),
    route!(GET "/v1/images/{id}" None),
    route!(DELETE "/v1/images/{id}" Some(Scope::Upload)),
];

/// Every route in the dialect of another service.
pub static COMPAT_ROUTES: [Route; 21] = [
    // What a message needs is known when it is read.
    route!(POST "/mcp" None, Some(Work::Estimate)),
    route!(GET "/compat/calorieninjas/v1/nutrition" Some(Scope::Estimate)),
    route!(GET "/compat/apininjas/v1/nutrition" Some(Scope::Estimate)),
    route!(GET "/cgi/search.pl" Some(Scope::FoodsRead)),
    route!(GET "/api/{version}/search" Some(Scope::FoodsRead)),
    route!(GET "/search" Some(Scope::FoodsRead)),
    route!(POST "/search" Some(Scope::FoodsRead)),
    route!(GET "/api/{version}/product/{code}" Some(Scope::FoodsRead)),
    route!(GET "/fdc/v1/foods/search" Some(Scope::FoodsRead)),
    route!(POST "/fdc/v1/foods/search" Some(Scope::FoodsRead)),
    route!(GET "/fdc/v1/food/{fdc_id}" Some(Scope::FoodsRead)),
    route!(GET "/fdc/v1/foods" Some(Scope::FoodsRead)),
    route!(POST "/fdc/v1/foods" Some(Scope::FoodsRead)),
    route!(GET "/fdc/v1/foods/list" Some(Scope::FoodsRead)),
    route!(POST "/v1/chat/completions" Some(Scope::Estimate), Some(Work::Estimate)),
    route!(GET "/v1/models" None),
    route!(GET "/v1/models/{id}" None),
    route!(POST "/v2/natural/nutrients" Some(Scope::Estimate), Some(Work::Estimate)),
    route!(GET "/v2/search/instant" Some(Scope::FoodsRead)),
    route!(GET "/v2/search/item" Some(Scope::FoodsRead)),
    route!(POST "/v2/search/item" Some(Scope::FoodsRead)),
];

/// Returns all routes.
pub fn all() -> impl Iterator<Item = &'static Route> {
    ROUTES.iter().chain(&COMPAT_ROUTES)
}

/// Returns the route that a request matched; HEAD counts as GET.
pub fn find(method: &Method, path: &str) -> Option<&'static Route> {
    let method = if method == Method::HEAD { &Method::GET } else { method };
    all().find(|route| route.method == method && route.path == path)
}

/// Returns the methods of a path, for the header `Allow`.
pub fn allowed(path: &str) -> String {
    let methods = all().filter(|route| route.path == path).map(|route| route.method.as_str());
    let mut methods: Vec<&str> = methods.collect();
    if methods.contains(&"GET") {
        methods.push("HEAD");
    }
    methods.join(", ")
}
