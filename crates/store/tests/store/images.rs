use store::{AccountId, Image, ImageFiles, ImageId, Rng};

use test_support::{after, an_account, noon, on_both};

pub fn an_image(account: &AccountId, rng: &mut Rng) -> Image {
    Image {
        id: ImageId::generate(rng),
        account_id: account.clone(),
        media_type: "image/jpeg".into(),
        width: 640,
        height: 480,
        bytes: 1_000,
        created_at: noon(),
        expires_at: after(86_400),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn images_come_and_go() {
    on_both(async |database| {
        let store = database.open().await;
        let rng = &mut Rng::system();
        let account = an_account(&store, "ada@example.org").await.id;
        let other = an_account(&store, "eve@example.org").await.id;
        let image = an_image(&account, rng);
        let later = Image { bytes: 24, expires_at: after(90_000), ..an_image(&account, rng) };
        for image in [&later, &image] {
            store.images().insert(image).await.expect("inserted");
        }
        assert_eq!(store.images().by_id(&image.id).await.expect("read"), Some(image.clone()));
        assert_eq!(store.images().bytes_of(&account).await.expect("read"), 1_024);
        assert_eq!(store.images().bytes_of(&other).await.expect("read"), 0);
        assert_eq!(store.images().expired(after(86_399), 10).await.expect("read"), []);
        assert_eq!(store.images().expired(after(86_400), 10).await.expect("read"), std::slice::from_ref(&image));
        assert_eq!(store.images().expired(after(99_999), 1).await.expect("read"), std::slice::from_ref(&image));
        assert!(!store.images().delete(&other, &image.id).await.expect("works"));
        assert!(store.images().delete(&account, &image.id).await.expect("works"));
        assert_eq!(store.images().by_id(&image.id).await.expect("read"), None);
    })
    .await;
}

#[tokio::test]
async fn files_are_private_and_complete() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = ImageFiles::Disk(folder.path().join("images"));
    let id = ImageId::generate(&mut Rng::system());
    assert_eq!(files.get(&id).await.expect("read"), None);
    files.delete(&id).await.expect("nothing to remove");
    let bytes: Vec<u8> = (0..100_000u32).map(|n| (n % 251) as u8).collect();
    files.put(&id, &bytes).await.expect("written");
    files.put(&id, &bytes).await.expect("written again");
    assert_eq!(files.get(&id).await.expect("read").as_ref(), Some(&bytes));
    let subfolder = folder.path().join("images").join(&id.as_str()[4..6]);
    let names: Vec<_> =
        std::fs::read_dir(&subfolder).expect("a folder").map(|entry| entry.expect("an entry")).collect();
    assert_eq!(names.len(), 1, "no temporary file is left");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = |path: &std::path::Path| std::fs::metadata(path).expect("there").permissions().mode() & 0o777;
        assert_eq!((mode(&names[0].path()), mode(&subfolder)), (0o600, 0o700));
    }
    files.delete(&id).await.expect("removed");
    assert_eq!(files.get(&id).await.expect("read"), None);
}

#[tokio::test]
async fn a_disk_that_cannot_be_written_is_an_error_with_its_cause() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    // A file where the folder should be.
    let files = ImageFiles::Disk(file.path().to_owned());
    let error = files.put(&ImageId::generate(&mut Rng::system()), b"x").await.expect_err("no folder");
    assert!(error.to_string().starts_with("cannot write an image: "), "{error}");
}
