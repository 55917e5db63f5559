extension StoreSchema {
    /// Returns the statements for the tables of floors that were drawn on the page. `path`: `site/building/floor`;
    /// `toml`: a file of plans with this floor alone; `at`: seconds since 1970. Versions of a floor count from 1, also
    /// over its removal.
    ///
    /// A picture is in a scale of its own: the pixels `x1`, `y1` and `x2`, `y2` are `distance` millimetres apart, and
    /// the first is at `plan_x`, `plan_y` of the plan, in millimetres.
    static func floorPlans(_ dialect: SQLDialect) -> [String] {
        [
            """
            CREATE TABLE floor_plan (path TEXT PRIMARY KEY, version BIGINT NOT NULL, toml TEXT NOT NULL, \
            by_whom TEXT NOT NULL, at BIGINT NOT NULL)
            """,
            """
            CREATE TABLE former_floor_plan (path TEXT NOT NULL, version BIGINT NOT NULL, toml TEXT NOT NULL, \
            by_whom TEXT NOT NULL, at BIGINT NOT NULL, PRIMARY KEY (path, version))
            """,
            """
            CREATE TABLE floor_picture (path TEXT PRIMARY KEY, kind TEXT NOT NULL, tag TEXT NOT NULL, \
            bytes \(dialect.blob) NOT NULL, width BIGINT NOT NULL, height BIGINT NOT NULL, x1 BIGINT NOT NULL, \
            y1 BIGINT NOT NULL, x2 BIGINT NOT NULL, y2 BIGINT NOT NULL, distance BIGINT NOT NULL, \
            plan_x BIGINT NOT NULL, plan_y BIGINT NOT NULL)
            """,
        ]
    }
}
