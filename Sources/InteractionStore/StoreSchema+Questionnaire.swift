extension StoreSchema {
    /// Returns the statement for the table of answers to the questionnaire. People have the numbers of their accounts,
    /// which are those of the register. `day`: days since 1970; `at`: seconds since 1970.
    static func questionnaire(_ dialect: SQLDialect) -> String {
        // As in the register, with which this table is joined.
        let number =
            switch dialect {
            case .sqlite: "number TEXT"
            case .postgreSQL: "number TEXT COLLATE \"C\""
            }
        return """
            CREATE TABLE questionnaire (\(number) NOT NULL, day BIGINT NOT NULL, answers TEXT NOT NULL, \
            result TEXT NOT NULL, at BIGINT NOT NULL, PRIMARY KEY (number, day))
            """
    }
}
