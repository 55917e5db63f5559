import Testing

@testable import Publishing

@Suite struct OutboxSchemaTests {
    private let table = OutboxSchema.table
    private let version = OutboxSchema.version

    @Test("A database without tables and version is new")
    func new() {
        #expect(OutboxSchema.found(version: 0, tables: []) == .new)
    }

    @Test("The table of records is used, and any other version next to it is damage that is corrected")
    func known() {
        #expect(OutboxSchema.found(version: version, tables: [table]) == .current)
        #expect(OutboxSchema.found(version: 0, tables: [table]) == .unversioned)
        #expect(OutboxSchema.found(version: version + 1, tables: [table]) == .unversioned)
    }

    @Test("Other tables belong to a newer program only if the version says so")
    func others() {
        #expect(OutboxSchema.found(version: version + 1, tables: ["CREATE TABLE other (id)"]) == .newer)
        #expect(OutboxSchema.found(version: version, tables: ["CREATE TABLE other (id)"]) == .damaged)
        #expect(OutboxSchema.found(version: version, tables: [table, "CREATE TABLE other (id)"]) == .damaged)
    }

    @Test("A version without tables is damage")
    func noTables() {
        #expect(OutboxSchema.found(version: version, tables: []) == .damaged)
        #expect(OutboxSchema.found(version: version + 1, tables: []) == .damaged)
    }
}
