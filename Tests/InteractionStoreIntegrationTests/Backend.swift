import InteractionStore
import TestSupport
import Testing

/// The databases on which every test of the store runs.
enum Backend: String, CaseIterable, CustomTestStringConvertible {
    case sqlite, postgreSQL

    var testDescription: String { rawValue }

    static var installed: [Backend] { TestPostgreSQL.isInstalled ? allCases : [.sqlite] }

    /// Runs `body` with an empty database.
    func with<Result>(
        isolation: isolated (any Actor)? = #isolation, _ body: (StoreLocation) async throws -> Result
    ) async throws -> Result {
        switch self {
        case .sqlite:
            let directory = try TemporaryDirectory()
            return try await body(.sqlite(directory.path + "/store.sqlite"))
        case .postgreSQL:
            return try await TestPostgreSQL.withDatabase { try await body(.postgreSQL($0)) }
        }
    }

    func withStore<Result>(
        isolation: isolated (any Actor)? = #isolation, _ body: (InteractionStore) async throws -> Result
    ) async throws -> Result {
        try await with { try await body(InteractionStore.open($0)) }
    }
}
