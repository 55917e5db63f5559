/// What is known of a matcher's work at one moment.
package struct MatcherObservation: Sendable, Equatable {
    package enum Role: Sendable, Equatable {
        /// The matcher does not know yet whether another one is active. `complaint`: why it cannot be found out.
        case starting(complaint: String?)
        /// Another process with the same client identifier is active.
        case standby(clientID: String)
        case active
    }

    package enum Store: Sendable, Equatable {
        case writable
        /// The last write, or the last look at the store, failed.
        case failing(what: String, remedy: String?)
        /// A write began so long ago, and has not ended.
        case writing(Duration)
    }

    package enum Broker: Sendable, Equatable {
        /// The matcher gets records: it has subscribed.
        case subscribed
        /// No connection, or no subscription yet. `complaint`: the last error.
        case away(complaint: String?, isFirst: Bool)
    }

    /// The connection that publishes occupancy, notices and commands.
    package enum Publisher: Sendable, Equatable {
        case connected
        /// It has not been connected yet.
        case connecting
        case lost
    }

    package var role: Role
    package var store: Store
    package var broker: Broker
    package var publisher: Publisher
    /// Time since records were last stored; `nil`: none since the start.
    package var lastStoredAge: Duration?

    package init(role: Role, store: Store, broker: Broker, publisher: Publisher, lastStoredAge: Duration? = nil) {
        self.role = role
        self.store = store
        self.broker = broker
        self.publisher = publisher
        self.lastStoredAge = lastStoredAge
    }

    /// Maximum duration of a write. A busy database lets one wait; a write that takes longer does not end.
    package static let longestWrite: Duration = .seconds(120)

    /// What a new start would be good for. A failure that has a remedy is for people; without one, a new start is tried.
    package var vitality: Vitality {
        switch role {
        case .starting(let complaint): complaint == nil ? .starting : .waiting
        case .standby: .waiting
        case .active:
            switch (store, broker) {
            case (.writing(let duration), _) where duration > Self.longestWrite:
                .stuck("a write to the store has not ended after \(Self.text(duration))")
            case (.failing(let what, remedy: nil), _): .stuck(what)
            case (.failing, _): .waiting
            case (_, .away(nil, isFirst: true)): .starting
            case (_, .away): .waiting
            case (_, .subscribed): .working
            }
        }
    }

    /// Whether a program in this state is ready: a standby is, although it is not live.
    package var readiness: Vitality {
        if case .standby = role { return .working }
        return vitality
    }

    package var liveness: Liveness {
        switch role {
        case .starting(let complaint):
            let state: Working =
                complaint.map { .failing(what: $0, remedy: "look at the database of the store") }
                ?? .starting("the store is opened")
            return Liveness(receiving: state, storing: state, delivering: state)
        case .standby(let clientID):
            let state = Working.starting("standby, another matcher with the client identifier \(clientID) is active")
            return Liveness(receiving: state, storing: state, delivering: state)
        case .active:
            return Liveness(
                receiving: receiving, storing: storing, delivering: delivering,
                notes: lastStoredAge.map { ["records were last stored \(Self.text($0)) ago"] } ?? [])
        }
    }

    private var receiving: Working {
        switch broker {
        case .subscribed: .working
        case .away(nil, isFirst: true): .starting("connection to the broker")
        case .away(let complaint, _):
            .failing(
                what: complaint ?? "the broker is not connected", remedy: "start the broker, or mend the network to it")
        }
    }

    private var storing: Working {
        switch store {
        case .writable: .working
        case .failing(let what, let remedy): .failing(what: what, remedy: remedy)
        case .writing(let duration) where duration > Self.longestWrite:
            .failing(
                what: "a write to the store has not ended after \(Self.text(duration))",
                remedy: "look at the disk or the database of the store")
        case .writing: .working
        }
    }

    private var delivering: Working {
        switch publisher {
        case .connected: .working
        case .connecting: .starting("connection to the broker")
        case .lost:
            .failing(
                what: "the connection that publishes results is not open",
                remedy: "start the broker, or mend the network to it")
        }
    }

    /// Returns an age with the precision that people want.
    private static func text(_ age: Duration) -> String {
        let seconds = max(0, age.components.seconds)
        return switch seconds {
        case ..<120: "\(seconds) s"
        case ..<7200: "\(seconds / 60) min"
        default: "\(seconds / 3600) h"
        }
    }
}
