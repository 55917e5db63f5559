import InteractionStore
import MQTTBridge

extension InteractionStore.StoredExposure {
    private struct Document: Decodable {
        struct Words: Decodable { var missing: [String] }
        var explanation: Words
    }

    /// What would have made it better founded, in the words of its own document.
    var missing: [String] {
        (try? JSON.decode(Document.self, from: Array(document.utf8)))?.explanation.missing ?? []
    }
}

extension [InteractionStore.StoredExposure] {
    /// What would have made them better founded, each thing once.
    var missing: [String] {
        reduce(into: [String]()) { found, exposure in
            found += exposure.missing.filter { !found.contains($0) }
        }
    }
}
