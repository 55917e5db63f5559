import InteractionStore
import Testing

@Suite("Where a store is") struct StoreLocationTests {
    @Test(
        "What libpq reads as a connection string is one",
        arguments: [
            "postgresql://m@db.example.org/x", "postgres://m:sesame@db.example.org/x", "host=db dbname=x",
            "hostaddr=10.0.0.5 user=m password=sesame", "service=prod", "user=m password=sesame",
            "host = db dbname = x password = sesame", "dbname=x",
        ])
    func connection(text: String) {
        #expect(StoreLocation(text) == .postgreSQL(text))
    }

    @Test(
        "What names a file is a path, also with = in it when it says that it is one",
        arguments: [
            "store.sqlite", "/var/lib/beacon-matcher/store.sqlite", "data/my store.sqlite", "./a=b.sqlite", "/srv/a=b",
            "../a=b", "./host=db",
        ])
    func path(text: String) {
        #expect(StoreLocation(text) == .sqlite(text))
    }

    @Test(
        "What is neither is refused, and isn't taken for a file's name",
        arguments: [
            "", " ", "a\u{0}b", " postgresql://m:sesame@db/x", "postgresql://m:sesame@db/x ",
            "Postgresql://m:sesame@db/x",
            "pgsql://m:sesame@db/x", "postgresql:m:sesame@db/x", "postgresql://m:%zzsesame@db/x", "sqlite:///srv/x",
            "\u{FEFF}postgresql://m:sesame@db/x", "HOST=db PASSWORD=sesame", "host=db password sesame", "a=b.sqlite",
            "/run/postgresql user=m password=sesame", " store.sqlite", "store.sqlite\n",
        ])
    func neither(text: String) {
        #expect(StoreLocation(text) == nil)
    }

    @Test(
        "A password that tore the connection string isn't shown",
        arguments: [
            "postgresql://m:ses@ame@db.example.org/x", "postgresql://m:12/sesame@db.example.org/x",
            "postgresql://m:ses/ame@db.example.org/x", "hostaddr=10.0.0.5 password=sesame",
            "host=db password='ses ame'", "service=prod password=sesame",
        ])
    func torn(text: String) {
        let location = StoreLocation.postgreSQL(text)
        for shown in ["\(location)", String(reflecting: location), location.hostWithoutVerifiedTLS ?? ""] {
            #expect(!shown.contains("ses") && !shown.contains("ame@"), "\(shown)")
        }
    }

    @Test(
        "A database on this machine needs no TLS",
        arguments: [
            "host=/run/postgresql dbname=x", "host=@socket dbname=x", "dbname=x", "postgresql:///x",
            "postgresql://localhost/x", "postgresql://127.0.0.1/x", "host=127.1.2.3", "postgresql://[::1]/x",
            "hostaddr=127.0.0.1 host=db.example.org", "host=/run/postgresql,localhost,127.0.0.1",
        ])
    func thisMachine(text: String) {
        #expect(StoreLocation(text) == .postgreSQL(text))
        #expect(StoreLocation.postgreSQL(text).hostWithoutVerifiedTLS == nil)
    }

    @Test(
        "A database on another machine that isn't verified is named",
        arguments: [
            ("postgresql://m@db.example.org/x", "db.example.org"),
            ("postgresql://m@db.example.org/x?sslmode=require", "db.example.org"),
            ("host=db.example.org sslmode=prefer", "db.example.org"),
            ("host=db.example.org sslmode=disable", "db.example.org"),
            ("host=localhost,db1,127.0.0.1,db2", "db1, db2"),
            ("hostaddr=10.0.0.5", "10.0.0.5"),
            ("host=localhost hostaddr=10.0.0.5", "10.0.0.5"),
            // An empty address isn't one: the name counts.
            ("host=db.example.org hostaddr=''", "db.example.org"),
            ("host=db.example.org,localhost hostaddr=,127.0.0.1", "db.example.org"),
            ("host=127.0.0.1.example.org", "127.0.0.1.example.org"),
            ("host=localhost.example.org", "localhost.example.org"),
        ])
    func unverified(text: String, host: String) {
        #expect(StoreLocation.postgreSQL(text).hostWithoutVerifiedTLS == host)
    }

    @Test(
        "A database that has to prove who it is isn't",
        arguments: [
            "postgresql://m@db.example.org/x?sslmode=verify-full", "host=db.example.org sslmode=verify-full",
            "host=db.example.org sslmode=verify-ca", "hostaddr=10.0.0.5 sslmode = verify-full",
        ])
    func verified(text: String) {
        #expect(StoreLocation.postgreSQL(text).hostWithoutVerifiedTLS == nil)
    }

    @Test func `A file is on no other machine`() {
        #expect(StoreLocation.sqlite("store.sqlite").hostWithoutVerifiedTLS == nil)
    }
}
