package import RecordContract

/// Position and room of a receiver by its latest record, since when they hold, and where it was before.
package struct ReceiverStanding: Equatable, Sendable {
    /// Position; `nil` if the receiver's records have none.
    package var coordinates: ReceiverCoordinates?
    package var room: String?
    /// Start of the first record with this position, in seconds since 1970.
    package var since: Int64
    /// Position before that; `nil` if there was none.
    package var former: ReceiverCoordinates?
    /// The record that last changed position or room.
    package var record: RecordPosition

    package init(
        coordinates: ReceiverCoordinates?, room: String?, since: Int64, former: ReceiverCoordinates? = nil,
        record: RecordPosition
    ) {
        self.coordinates = coordinates
        self.room = room
        self.since = since
        self.former = former
        self.record = record
    }

    /// What a record says about its receiver.
    package struct Statement: Equatable, Sendable {
        package var coordinates: ReceiverCoordinates?
        package var room: String?
        /// Start of what the record reports, in seconds since 1970; `nil` if the gateway's clock was not synchronized.
        package var start: Int64?
        package var record: RecordPosition

        package init(coordinates: ReceiverCoordinates?, room: String?, start: Int64?, record: RecordPosition) {
            self.coordinates = coordinates
            self.room = room
            self.start = start
            self.record = record
        }
    }

    /// Returns what holds after a record; `nil` if that does not change.
    ///
    /// Records that waited out an outage can arrive after later ones, and an interaction that began before its gateway
    /// was moved can end afterwards: neither moves the receiver back.
    ///
    /// - Parameter now: seconds since 1970; the start of records without a time.
    package func after(_ statement: Statement, now: Int64) -> ReceiverStanding? {
        guard statement.coordinates != coordinates || statement.room != room, statement.record > record,
            statement.start.map({ $0 >= since }) ?? true
        else { return nil }
        var next = self
        (next.room, next.record) = (statement.room, statement.record)
        if statement.coordinates != coordinates {
            next.former = coordinates ?? former
            next.coordinates = statement.coordinates
            next.since = statement.start ?? now
        }
        return next
    }
}
