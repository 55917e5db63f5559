import OperatorText

extension DemoFloor {
    static let site = "demo"
    static let building = "main"
    static let floor = "1"

    /// The floor plan, as a file for the matcher.
    static var plan: String {
        let head = """
            # The floor of `beacon-gateway demo --building`.
            [[floors]]
            site = "\(site)"
            building = "\(building)"
            floor = "\(floor)"
            name = "First floor"
            wall-attenuation = \(text(wallAttenuation))
            outline = [[0, 0], [\(text(width)), 0], [\(text(width)), \(text(depth))], [0, \(text(depth))]]

            """
        let rooms = rooms.map { room in
            let (low, high) = (room.low, room.high)
            let corners = [low, Point(high.x, low.y), high, Point(low.x, high.y)].map { text($0) }.joined(
                separator: ", ")
            return """

                [[floors.rooms]]
                name = "\(room.name)"
                points = [\(corners)]
                capacity = \(room.capacity)

                """
        }
        let doors = Self.rooms.map { room in
            """

            [[floors.doors]]
            at = \(text(room.door))
            width = \(text(doorWidth))

            """
        }
        return head + rooms.joined() + doors.joined()
    }

    /// Returns the configuration of the gateway in a room.
    ///
    /// - Parameters:
    ///   - prefix: prefix of the topics.
    ///   - directory: state directory of the gateway.
    static func configuration(of room: Room, prefix: String, brokerPort: UInt16, directory: String) -> String {
        let (x, y) = (text(room.receiver.x), text(room.receiver.y))
        return """
            local-socket = "off"

            [place]
            site = "\(site)"
            building = "\(building)"
            floor = "\(floor)"
            gateway = "\(room.gateway)"
            room = "\(room.name)"
            position = { x = \(x), y = \(y), z = \(text(receiverHeight)) }

            [metrics]
            listen = "off"

            [mqtt]
            host = "127.0.0.1"
            port = \(brokerPort)
            prefix = "\(prefix)"

            [beacons]
            uuids = ["\(DemoBuilding.badgeUUID)"]

            [signals]
            enabled = true

            [state]
            directory = "\(directory)"

            """
    }

    private static func text(_ point: Point) -> String { "[\(text(point.x)), \(text(point.y))]" }

    private static func text(_ metres: Double) -> String { Format.fixed(metres, 2) }
}
