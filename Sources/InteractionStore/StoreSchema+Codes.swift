extension StoreSchema {
    /// Statement for the table of verification codes that were issued and not used, as keyed hashes. `test` and
    /// `onset`: days since 1970; `expires` and `issued`: seconds since 1970; `issuer`: name of the officer's account.
    static let codes = """
        CREATE TABLE verification_code (hash TEXT PRIMARY KEY, expires BIGINT NOT NULL, is_long SMALLINT NOT NULL, \
        test BIGINT NOT NULL, onset BIGINT, issued BIGINT NOT NULL, issuer TEXT NOT NULL)
        """
}
