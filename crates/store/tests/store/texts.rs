//! Ids, addresses and locations: texts that are read strictly.

use store::{AccountId, Email, ImageId, KeyId, Location, RecipeId, Rng};

#[test]
fn ids_carry_their_kind_and_at_least_128_bits() {
    let rng = &mut Rng::system();
    let recipe = RecipeId::generate(rng);
    assert!(recipe.as_str().starts_with("rcp_") && recipe.as_str().len() == 26);
    assert_eq!(RecipeId::parse(recipe.as_str()), Some(recipe.clone()));
    assert_eq!(recipe.to_string(), recipe.as_str());
    assert_ne!(RecipeId::generate(rng), recipe);
    assert_eq!(KeyId::parse(recipe.as_str()), None);
    assert_eq!(AccountId::parse(""), None);
    for wrong in
        ["rcp_", "rcp_short", "rcp_0123456789012345678901x", "rcp_01234567890123456789é", "rcp_0123456789 12345678901"]
    {
        assert_eq!(RecipeId::parse(wrong), None, "{wrong}");
    }
    assert_eq!(ImageId::generate(&mut Rng::seeded(1)), ImageId::generate(&mut Rng::seeded(1)));
}

#[test]
fn every_character_of_an_id_is_equally_likely() {
    let rng = &mut Rng::seeded(42);
    let mut seen = [0u32; 128];
    for _ in 0..10_000 {
        for byte in AccountId::generate(rng).as_str()[4..].bytes() {
            seen[usize::from(byte)] += 1;
        }
    }
    let counts: Vec<_> = seen.into_iter().filter(|count| *count > 0).collect();
    assert_eq!(counts.len(), 62);
    // 220,000 characters over 62 are 3,548 each, give or take 60; a bias of modulo would show as 3,400 against 4,250.
    assert!(counts.iter().all(|count| (3_200..3_900).contains(count)), "{counts:?}");
}

#[test]
fn addresses_are_compared_in_one_form() {
    assert_eq!(Email::parse(" Ada@Example.ORG\n").map(|email| email.to_string()), Some("ada@example.org".into()));
    for wrong in ["", "ada", "@example.org", "ada@", "a@b@c", "a b@example.org", "ada@exam\u{0}ple.org"] {
        assert_eq!(Email::parse(wrong), None, "{wrong:?}");
    }
    assert!(Email::parse(&format!("{}@example.org", "a".repeat(242))).is_some());
    assert!(Email::parse(&format!("{}@example.org", "a".repeat(243))).is_none());
}

#[test]
fn locations_hide_the_password() {
    let location = Location::parse("postgres://ada:s3cret@db.example.org:6543/morsel?sslmode=require").expect("a URL");
    assert_eq!(location.to_string(), "postgres://ada@db.example.org:6543/morsel");
    assert!(!format!("{location:?}").contains("s3cret"));
    assert_eq!(Location::parse("sqlite:a/b.db"), Ok(Location::Sqlite("a/b.db".into())));
    assert_eq!(Location::parse("sqlite:///var/lib/m.db"), Ok(Location::Sqlite("/var/lib/m.db".into())));
    for wrong in ["", "sqlite:", "mysql://ada:s3cret@host/db", "postgres://ada:s3cret@host:port/db"] {
        let sentence = Location::parse(wrong).expect_err(wrong);
        assert!(!sentence.contains("s3cret") && sentence.len() > 20, "{sentence}");
    }
}
