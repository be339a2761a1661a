use nutrition::Macros;
use store::{Begin, NewRecipe, RecipeChange, RecipeId, Rng, SaveRecipeError, StoredResponse};

use test_support::{a_recipe, after, an_account, noon, on_both};

#[tokio::test(flavor = "multi_thread")]
async fn recipes_are_kept_exactly_and_listed_newest_first() {
    on_both(async |database| {
        let store = database.open().await;
        let recipes = store.recipes();
        let rng = &mut Rng::system();
        let account = an_account(&store, "ada@example.org").await.id;
        let first = recipes.create(&account, a_recipe("Pie"), 10, after(0), rng, None).await.expect("made");
        // Two in the same microsecond: the later one is the newer.
        let second = recipes.create(&account, a_recipe("Pie"), 10, after(1), rng, None).await.expect("made");
        let third = recipes.create(&account, a_recipe("Soup 🥣"), 10, after(1), rng, None).await.expect("made");
        assert_eq!(recipes.list(&account).await.expect("read"), [third, second, first.clone()]);
        assert_eq!(recipes.by_id(&first.id).await.expect("read"), Some((account.clone(), first.clone())));
        let other = an_account(&store, "eve@example.org").await.id;
        assert_eq!(recipes.list(&other).await.expect("read"), []);
        assert!(!recipes.delete(&other, &first.id).await.expect("works"));
        assert!(recipes.delete(&account, &first.id).await.expect("works"));
        assert!(!recipes.delete(&account, &first.id).await.expect("works"));
        assert_eq!(recipes.by_id(&first.id).await.expect("read"), None);
        // What was acknowledged is there when the database is opened again.
        let kept = recipes.list(&account).await.expect("read");
        store.close().await;
        assert_eq!(database.open().await.recipes().list(&account).await.expect("read"), kept);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn only_what_is_sent_changes() {
    on_both(async |database| {
        let store = database.open().await;
        let account = an_account(&store, "ada@example.org").await.id;
        let made = store.recipes().create(&account, a_recipe("Pie"), 10, noon(), &mut Rng::system(), None).await;
        let made = made.expect("made");
        let update = async |change, seconds| {
            store.recipes().update(&account, &made.id, change, after(seconds)).await.expect("works").expect("there")
        };
        let before = store.latest_change().await.expect("read");
        assert_eq!(update(RecipeChange::default(), 5).await, made);
        let same = RecipeChange {
            name: Some("Pie".into()),
            macros: Macros { calories: Some(350.0), ..Macros::default() },
            ..RecipeChange::default()
        };
        assert_eq!(update(same, 6).await, made);
        assert_eq!(store.latest_change().await.expect("read"), before, "nothing became different");

        let change = RecipeChange {
            macros: Macros { fat: Some(9.5), ..Macros::default() },
            serving_description: Some(None),
            aliases: Some(vec![]),
            ..RecipeChange::default()
        };
        let changed = update(change, 7).await;
        let expected = store::Recipe {
            macros: Macros { fat: 9.5, ..made.macros },
            serving_description: None,
            aliases: vec![],
            updated_at: after(7),
            ..made.clone()
        };
        assert_eq!(changed, expected);
        assert_eq!(store.recipes().list(&account).await.expect("read"), [expected]);
        assert!(store.latest_change().await.expect("read") > before);

        let other = an_account(&store, "eve@example.org").await.id;
        let stolen = store.recipes().update(&other, &made.id, RecipeChange::default(), noon()).await.expect("works");
        assert_eq!(stolen, None);
        let unknown = RecipeId::generate(&mut Rng::system());
        assert_eq!(
            store.recipes().update(&account, &unknown, RecipeChange::default(), noon()).await.expect("works"),
            None
        );
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_limit_is_exact_when_many_come_at_once() {
    on_both(async |database| {
        let store = database.open().await;
        let account = an_account(&store, "ada@example.org").await.id;
        for n in 0..5 {
            let recipe = a_recipe(&format!("{n}"));
            store.recipes().create(&account, recipe, 8, noon(), &mut Rng::system(), None).await.expect("made");
        }
        // Half of them through a second server.
        let stores = [store.clone(), database.open().await];
        let mut callers = tokio::task::JoinSet::new();
        for n in 0..8 {
            let (store, account) = (stores[n % 2].clone(), account.clone());
            callers.spawn(async move {
                store.recipes().create(&account, a_recipe("one more"), 8, noon(), &mut Rng::system(), None).await
            });
        }
        let (made, refused): (Vec<_>, Vec<_>) = callers.join_all().await.into_iter().partition(Result::is_ok);
        assert_eq!((made.len(), refused.len()), (3, 5));
        assert!(refused.iter().all(|error| matches!(error, Err(SaveRecipeError::LimitReached))), "{refused:?}");
        assert_eq!(store.recipes().list(&account).await.expect("read").len(), 8);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn callers_who_go_away_in_the_middle_leave_nothing_half_done() {
    on_both(async |database| {
        let store = database.open().await;
        let account = an_account(&store, "ada@example.org").await.id;
        let mut acknowledged = 0;
        for n in 0..300 {
            let rng = &mut Rng::system();
            let create = store.recipes().create(&account, a_recipe("Pie"), 1_000_000, noon(), rng, None);
            let patience = std::time::Duration::from_micros(n * 10);
            acknowledged += usize::from(tokio::time::timeout(patience, create).await.is_ok());
            let _ = tokio::time::timeout(patience / 2, store.latest_change()).await;
        }
        let (latest, recipes) =
            (store.latest_change().await.expect("read"), store.recipes().list(&account).await.expect("read"));
        eprintln!("{acknowledged} of 300 callers waited, {} recipes", recipes.len());
        assert!(recipes.len() >= acknowledged);
        // Every recipe has its number, every number its recipe; the account is the one more.
        assert_eq!(latest, recipes.len() as u64 + 1);
        store
            .recipes()
            .create(&account, a_recipe("Pie"), 1_000_000, noon(), &mut Rng::system(), None)
            .await
            .expect("made");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn changes_of_different_fields_at_once_are_all_kept() {
    on_both(async |database| {
        let store = database.open().await;
        let account = an_account(&store, "ada@example.org").await.id;
        let made = store.recipes().create(&account, a_recipe("Pie"), 10, noon(), &mut Rng::system(), None).await;
        let id = made.expect("made").id;
        let changes = [
            RecipeChange { macros: Macros { calories: Some(1.0), ..Macros::default() }, ..RecipeChange::default() },
            RecipeChange { macros: Macros { protein: Some(2.0), ..Macros::default() }, ..RecipeChange::default() },
            RecipeChange { macros: Macros { carbs: Some(3.0), ..Macros::default() }, ..RecipeChange::default() },
            RecipeChange { macros: Macros { fat: Some(4.0), ..Macros::default() }, ..RecipeChange::default() },
        ];
        let mut callers = tokio::task::JoinSet::new();
        for change in changes {
            let (store, account, id) = (store.clone(), account.clone(), id.clone());
            callers.spawn(async move { store.recipes().update(&account, &id, change, after(1)).await.expect("works") });
        }
        callers.join_all().await;
        let (_, recipe) = store.recipes().by_id(&id).await.expect("read").expect("there");
        let expected =
            store::Recipe { macros: Macros { calories: 1.0, protein: 2.0, carbs: 3.0, fat: 4.0 }, ..recipe.clone() };
        assert_eq!(recipe, expected);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn recipe_and_kept_answer_are_saved_together() {
    on_both(async |database| {
        let store = database.open().await;
        let account = an_account(&store, "ada@example.org").await.id;
        let rng = &mut Rng::system();
        let begin =
            async |seconds| store.idempotency().begin(&account, "k", &[1; 32], after(seconds)).await.expect("ok");
        let answer = |recipe: &store::Recipe| StoredResponse {
            status: 201,
            content_type: "application/json".into(),
            body: recipe.id.as_str().into(),
        };
        let Begin::Fresh(claim) = begin(0).await else { panic!("the key is new") };
        let create = store.recipes().create(&account, a_recipe("Pie"), 1, noon(), rng, Some((&claim, &answer)));
        let made = can_change_threads(create).await.expect("made");
        assert_eq!(begin(1).await, Begin::Replay(answer(&made)));

        // A claim that somebody else took over meanwhile must not lead to a second recipe.
        assert!(store.recipes().delete(&account, &made.id).await.expect("works"));
        let Begin::Fresh(slow) = store.idempotency().begin(&account, "l", &[1; 32], after(0)).await.expect("ok") else {
            panic!("the key is new")
        };
        let Begin::Fresh(quick) = store.idempotency().begin(&account, "l", &[1; 32], after(61)).await.expect("ok")
        else {
            panic!("the claim is a minute old")
        };
        let late = store.recipes().create(&account, a_recipe("Pie"), 9, after(62), rng, Some((&slow, &answer))).await;
        assert!(matches!(late, Err(SaveRecipeError::ClaimLost)));
        assert_eq!(store.recipes().list(&account).await.expect("read"), []);
        let made = store.recipes().create(&account, a_recipe("Pie"), 9, after(63), rng, Some((&quick, &answer))).await;
        assert_eq!(store.recipes().list(&account).await.expect("read"), [made.expect("made")]);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn ingredients_are_saved_with_their_recipe_or_not_at_all() {
    on_both(async |database| {
        let store = database.open().await;
        let (recipes, rng) = (store.recipes(), &mut Rng::system());
        let account = an_account(&store, "ada@example.org").await.id;
        let of = |content: &str| Some(content.to_owned());
        let change = |ingredients| RecipeChange { ingredients: Some(ingredients), ..RecipeChange::default() };

        let new = NewRecipe { ingredients: of("apples"), ..a_recipe("Pie") };
        let made = recipes.create(&account, new.clone(), 1, noon(), rng, None).await.expect("made");
        assert_eq!(recipes.ingredients(&made.id).await.expect("read"), of("apples"));
        let refused = recipes.create(&account, new, 1, noon(), rng, None).await;
        assert!(matches!(refused, Err(SaveRecipeError::LimitReached)));
        let all = recipes.all_ingredients(&account).await.expect("read");
        assert_eq!(all, [(made.id.clone(), "apples".to_owned())], "nothing is left of the refused one");

        let update = async |change, seconds| {
            recipes.update(&account, &made.id, change, after(seconds)).await.expect("works").expect("there")
        };
        assert_eq!(update(change(of("apples")), 1).await.updated_at, made.updated_at, "they are the same");
        assert_eq!(update(change(of("pears")), 2).await.updated_at, after(2));
        assert_eq!(recipes.ingredients(&made.id).await.expect("read"), of("pears"));
        let other = RecipeChange { name: of("Tart"), ..RecipeChange::default() };
        assert_eq!(update(other, 3).await.name, "Tart");
        assert_eq!(recipes.ingredients(&made.id).await.expect("read"), of("pears"), "not sent, not changed");
        update(change(None), 4).await;
        assert_eq!(recipes.ingredients(&made.id).await.expect("read"), None);

        let eve = an_account(&store, "eve@example.org").await.id;
        assert_eq!(recipes.update(&eve, &made.id, change(of("sand")), noon()).await.expect("works"), None);
        assert_eq!(recipes.ingredients(&made.id).await.expect("read"), None, "it belongs to somebody else");
    })
    .await;
}

/// Servers move requests between threads; a future that cannot be moved does not compile here.
fn can_change_threads<F: Future + Send>(future: F) -> F {
    future
}
