import Evidence

extension StoreSchema {
    /// Position and room of each receiver by its latest record. Coordinates are in millimetres; the `former` ones are
    /// those before `since`, in seconds since 1970. `boot` and `sequence` are those of the record that last changed the
    /// row; `seen` is the day of the latest record, in days since 1970, to within `NameNumbers.renewal`.
    static let receiverPositions = """
        CREATE TABLE receiver_position (path TEXT PRIMARY KEY, x BIGINT, y BIGINT, z BIGINT, room TEXT, \
        since BIGINT NOT NULL, former_x BIGINT, former_y BIGINT, former_z BIGINT, boot BIGINT NOT NULL, \
        sequence BIGINT NOT NULL, seen BIGINT NOT NULL)
        """

    static let receiverPositionColumns = [
        "path", "x", "y", "z", "room", "since", "former_x", "former_y", "former_z", "boot", "sequence", "seen",
    ]

    static let receiverPositionInsertion = SQLInsertion(
        table: "receiver_position", columns: receiverPositionColumns,
        conflict: "ON CONFLICT (path) DO UPDATE SET "
            + receiverPositionColumns.dropFirst().map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
}
