import Evidence
package import InteractionStore
import MatcherCore
package import Matching

extension ExposureNames {
    /// Reads the names from a store.
    ///
    /// - Throws: `StoreError`.
    package init(_ exposures: [Exposure], store: InteractionStore) throws {
        let subjects = try store.subjects(Set(exposures.map(\.subject)))
        let windows = exposures.flatMap(\.explanation.windows)
        var numbers = Set(exposures.map(\.place) + windows.map(\.place))
        numbers.formUnion(windows.compactMap { $0.distances?.positivePlace })
        let places = try store.places(numbers)
        var heard: Set<Int64> = []
        for details in exposures.compactMap(\.explanation.together) {
            heard.formUnion(details.receivers.map(\.receiver))
            for minute in details.minutes {
                heard.formUnion(minute.positive.map(\.receiver))
                heard.formUnion(minute.other.map(\.receiver))
            }
        }
        for case .deafReceivers(let deaf) in exposures.flatMap(\.explanation.missing) { heard.formUnion(deaf) }
        self.init(subjects: subjects, places: places, receivers: try store.receiverNames(heard))
    }
}
