//! Imported foods that are published to all servers.

use std::time::Duration;

use test_support::on_postgres;

use crate::cluster::{Cluster, url_of};
use crate::server::{printed, stderr};

#[tokio::test]
async fn published_foods_are_loaded_by_every_server_and_damaged_ones_by_none() {
    on_postgres(async |database| {
        let cluster = Cluster::start(2, url_of(database), Duration::from_secs(30));
        let folder = tempfile::tempdir().expect("a folder");
        let table = folder.path().join("canteen.tsv");
        std::fs::write(
            &table,
            "id\tgroup\tkcal\tprotein\tcarbs\tfat\tnames\n1\tSoups\t100\t5\t10\t4\ten=Plonkedoodle stew\n",
        )
        .expect("written");
        let finds = |n: usize| {
            cluster.call(n, "GET", "/v1/foods?q=plonkedoodle", &cluster.key, "").body.contains("Plonkedoodle")
        };
        assert!(!finds(0) && !finds(1));
        let imported = cluster.morsel(&["import", "table", table.to_str().expect("a path")]);
        assert!(imported.status.success() && stderr(&imported).contains("Published"), "{}", stderr(&imported));
        Cluster::wait("both have the food", || finds(0) && finds(1));
        // A server without anything on its disk has it from the start.
        let third = cluster.server(2);
        let (status, body) = third.request("GET", "/v1/foods?q=plonkedoodle", &cluster.key, "").expect("answered");
        assert!(status == 200 && body.contains("Plonkedoodle"), "{body}");

        let sha256 = "0".repeat(64);
        cluster.bucket.overwrite(&format!("catalog/{sha256}.morsel"), "not a catalog");
        cluster.bucket.overwrite("catalog/current.json", &format!(r#"{{"sha256": "{sha256}", "bytes": 13}}"#));
        let fourth = cluster.server(3);
        let (_, body) = fourth.request("GET", "/v1/foods?q=egg", &cluster.key, "").expect("answered");
        assert!(body.contains("gg"), "it serves the built-in foods: {body}");
        assert!(finds(0) && finds(1), "the foods stay");

        printed(&cluster.morsel(&["catalog", "publish", "--remove"]));
        Cluster::wait("both have removed it", || !finds(0) && !finds(1));
        let again = cluster.morsel(&["catalog", "publish"]);
        assert!(again.status.success(), "{}", stderr(&again));
        Cluster::wait("both have it again", || finds(0) && finds(1));
    })
    .await;
}
