//! Photos over HTTP: upload, fetch, delete, expire.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use jiff::{SignedDuration, Timestamp};
use morsel::background;
use serde_json::json;

use crate::harness::Service;
use test_support::{on_both, on_sqlite};

/// A drawn picture as a data URL.
pub fn png(width: u32, height: u32) -> String {
    data_url(&image::RgbImage::from_fn(width, height, |x, y| image::Rgb([x as u8, y as u8, (x ^ y) as u8])))
}

/// A picture as a data URL.
pub fn data_url(picture: &image::RgbImage) -> String {
    let mut bytes = std::io::Cursor::new(Vec::new());
    picture.write_to(&mut bytes, image::ImageFormat::Png).expect("drawn");
    format!("data:image/png;base64,{}", BASE64_STANDARD.encode(bytes.into_inner()))
}

#[tokio::test]
async fn a_photo_is_stored_served_and_deleted() {
    on_both(async |database| {
        let service = Service::on(database).await;
        let reply = service.post("/v1/upload/base64", json!({"image": png(3_000, 100)})).send().await;
        let answer = reply.ok();
        assert_eq!(answer.as_object().map(serde_json::Map::len), Some(1), "exactly the contract's fields");
        let url = answer["url"].as_str().expect("a url");
        let path = url.strip_prefix("http://food.test").expect("under the address that the caller used");
        let expires: Timestamp = reply.header("x-image-expires").expect("a header").parse().expect("a time");
        assert_eq!(expires, service.app.now() + SignedDuration::from_hours(24));
        let photo = service.get(path).send().await;
        assert_eq!((photo.status, photo.header("content-type")), (200, Some("image/jpeg")));
        let shown = image::load_from_memory(&photo.body).expect("a picture");
        assert_eq!((shown.width(), shown.height()), (2_048, 68));
        assert_eq!(service.get(path).no_key().send().await.status, 401);
        let deleted = service.call("DELETE", path).send().await.ok();
        assert_eq!(deleted, json!({"message": "Image deleted"}));
        assert_eq!(service.get(path).send().await.error(404), "not_found");
        assert_eq!(service.call("DELETE", path).send().await.error(404), "not_found");
    })
    .await;
}

#[tokio::test]
async fn the_time_of_expiry_comes_when_asked_for() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let body = json!({"image": png(64, 64), "include": ["expires_at"]});
        let asked = service.post("/v1/upload/base64", body).send().await;
        assert_eq!(asked.ok()["expires_at"].as_str(), asked.header("x-image-expires"));
        let by_address =
            service.post("/v1/upload/base64?include=expires_at", json!({"image": png(64, 64)})).send().await;
        assert!(by_address.ok()["expires_at"].is_string());
        let wrong = service.post("/v1/upload/base64?include=magic", json!({"image": png(64, 64)})).send().await;
        assert_eq!(wrong.bad(400), "include");
    })
    .await;
}

#[tokio::test]
async fn what_is_no_photo_is_refused() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let whole = png(64, 64);
        let jpeg_label = whole.replace("image/png", "image/jpeg");
        let pdf = format!("data:image/png;base64,{}", BASE64_STANDARD.encode("%PDF-1.7 not a picture at all, sorry"));
        for image in [
            "",
            "egg.png",
            "https://example.com/cat.png",
            "data:image/png,AAAA",
            "data:image/gif;base64,R0lGODlhAQABAAAAACw=",
            "data:image/png;base64,",
            "data:image/png;base64,!!!!",
            &whole[..whole.len() / 2 / 4 * 4],
            &jpeg_label,
            &pdf,
            &png(31, 64),
        ] {
            let reply = service.post("/v1/upload/base64", json!({"image": image})).send().await;
            assert_eq!(reply.error(400), "invalid_image", "{}", &image[..image.len().min(40)]);
            assert_eq!(reply.json()["param"], "image");
        }
        for body in [json!({}), json!({"image": 5}), json!({"image": null})] {
            assert_eq!(service.post("/v1/upload/base64", body).send().await.bad(400), "image");
        }
        let huge = format!("data:image/png;base64,{}", "A".repeat(13_400_000));
        assert_eq!(service.post("/v1/upload/base64", json!({"image": huge})).send().await.error(413), "too_large");
    })
    .await;
}

#[tokio::test]
async fn an_expired_photo_is_gone_and_its_file_is_removed() {
    on_both(async |database| {
        let service = Service::on(database).await;
        let answer = service.post("/v1/upload/base64", json!({"image": png(64, 64)})).send().await.ok();
        let path =
            answer["url"].as_str().and_then(|url| url.strip_prefix("http://food.test")).expect("a path").to_owned();
        let id = store::ImageId::parse(path.rsplit('/').next().expect("an id")).expect("an id");
        let images = service.app.store.images();
        service.advance(Duration::from_hours(24) - Duration::from_secs(1));
        morsel::background::remove_images(&service.app).await.expect("no trouble");
        assert_eq!(service.get(&path).send().await.status, 200, "not before its time");
        service.advance(Duration::from_secs(1));
        assert_eq!(service.get(&path).send().await.error(404), "not_found");
        assert!(service.app.images.get(&id).await.expect("no trouble").is_some());
        morsel::background::remove_images(&service.app).await.expect("no trouble");
        assert!(service.app.images.get(&id).await.expect("no trouble").is_none());
        assert!(images.by_id(&id).await.expect("no trouble").is_none());
    })
    .await;
}

#[tokio::test]
async fn behind_a_proxy_photos_have_its_address() {
    on_sqlite(async |database| {
        let settings = morsel::config::Settings {
            base_url: Some("https://food.example.com/".to_owned()),
            ..morsel::config::Settings::default()
        };
        let service = Service::with(database, settings).await;
        let answer = service.post("/v1/upload/base64", json!({"image": png(64, 64)})).send().await.ok();
        let url = answer["url"].as_str().expect("a url");
        assert!(url.starts_with("https://food.example.com/v1/images/img_"), "{url}");
        let content = json!([{"type": "image_url", "image_url": {"url": url}}]);
        let body = json!({"messages": [{"role": "user", "content": content}]});
        assert_eq!(service.post("/v1/estimate/sync", body).send().await.status, 200);
    })
    .await;
}

/// The files of photos in a data directory.
fn files(folder: &Path) -> Vec<PathBuf> {
    let list =
        |folder: PathBuf| fs::read_dir(folder).into_iter().flatten().map(|entry| entry.expect("an entry").path());
    list(folder.join("images")).flat_map(list).collect()
}

/// Sets the time of all files to that of the service, which has a clock of its own.
fn touch_all(service: &Service, folder: &Path) {
    for file in files(folder) {
        let file = fs::File::options().write(true).open(file).expect("there");
        file.set_modified(SystemTime::from(service.app.now())).expect("set");
    }
}

#[tokio::test]
async fn every_server_removes_its_own_files_whichever_server_deletes_a_photo() {
    on_both(async |database| {
        let service = Service::on(database).await;
        let folder = database.folder.path();
        let other_folder = tempfile::tempdir().expect("a folder");
        let other = service.beside(database, other_folder.path()).await;
        let upload = async || {
            let reply = service.post("/v1/upload/base64", json!({"image": png(64, 64)})).send().await;
            reply.ok()["url"].as_str().expect("a url").replace("http://food.test", "")
        };
        let (deleted, kept) = (upload().await, upload().await);
        touch_all(&service, folder);
        let sweep = async || background::remove_stray_images(&service.app).await.expect("swept");
        assert_eq!(other.call("DELETE", &deleted).send().await.status, 200);
        assert_eq!(service.get(&deleted).send().await.status, 404, "gone at once");
        assert_eq!(sweep().await, 0, "young files may belong to an upload that is not finished");
        service.advance(Duration::from_mins(11));
        assert_eq!(sweep().await, 1);
        assert_eq!(files(folder).len(), 1);
        assert_eq!(service.get(&kept).send().await.status, 200);
        // The other server removes the rows of what has expired.
        for server in [&service, &other] {
            server.advance(Duration::from_hours(25));
        }
        background::remove_images(&other.app).await.expect("removed");
        assert_eq!(files(folder).len(), 1);
        assert_eq!(sweep().await, 1);
        assert_eq!(files(folder), Vec::<PathBuf>::new());
    })
    .await;
}

#[tokio::test]
async fn what_a_killed_server_left_is_removed_and_nothing_else() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let folder = database.folder.path();
        let subfolder = folder.join("images/ab");
        fs::create_dir_all(&subfolder).expect("a folder");
        let stray = "img_ab12345678901234567890";
        for name in [stray, "img_ab12345678901234567891X8f3k2.tmp", "notes.txt", "img_short"] {
            fs::write(subfolder.join(name), "bytes").expect("written");
        }
        fs::write(folder.join("images/readme"), "mine").expect("written");
        touch_all(&service, folder);
        service.advance(Duration::from_mins(11));
        assert_eq!(background::remove_stray_images(&service.app).await.expect("swept"), 1);
        let mut left = files(folder);
        left.sort();
        assert_eq!(left, [subfolder.join("img_short"), subfolder.join("notes.txt")]);
        assert!(folder.join("images/readme").exists());
    })
    .await;
}
