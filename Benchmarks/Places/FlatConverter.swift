import FloorPlans
import Localisation

/// Kolakowski's recording of a flat: six anchors, five rooms, a robot's walk.
///
/// The first 60 % of the walk are the survey, the rest is judged.
enum FlatConverter {
    static let trainingShare = 0.6

    static func recordings(_ directory: String) -> [Recording] {
        guard let anchors = CSVTable(path: directory + "/kolakowski-flat/anchors.csv"),
            let walk = CSVTable(path: directory + "/kolakowski-flat/calibration/calibration_df.csv")
        else { return [] }
        let receivers = anchors.rows.indices.compactMap { row -> ReceiverSite? in
            guard let x = anchors.number(row, "x"), let y = anchors.number(row, "y"), let z = anchors.number(row, "z")
            else { return nil }
            return ReceiverSite(
                path: anchors.text(row, "id") ?? "", floor: 0, position: PlanPoint(x: x, y: y), height: z)
        }
        let training = Int(Double(walk.rows.count) * trainingShare)
        var recording = Recording(
            name: "flat", plans: [plan], receivers: receivers, readings: [], truth: [], survey: [])
        for row in walk.rows.indices {
            guard let stamp = walk.number(row, "ts"), let x = walk.number(row, "x"), let y = walk.number(row, "y"),
                RecordingLimits.times.contains(stamp / 1e9)
            else { continue }
            let (time, position) = (stamp / 1e9, PlanPoint(x: x, y: y))
            for (index, receiver) in receivers.enumerated() {
                guard let rssi = walk.number(row, "rssi_\(receiver.path)") else { continue }
                if row < training {
                    recording.survey.append(
                        SurveyReading(
                            badge: "robot", floor: 0, position: position, receiver: index, rssi: rssi, time: time))
                } else {
                    recording.readings.append(
                        Recording.Reading(time: time, subject: "robot", receiver: index, rssi: rssi))
                }
            }
            guard row >= training else { continue }
            recording.truth.append(
                Recording.TruePosition(
                    time: time, subject: "robot", floor: 0, position: position, room: room(position),
                    isRoomKnown: true))
        }
        return [recording]
    }

    /// The rooms of the recording's own description; doors and openings by its outline of the walls.
    static let plan: FloorPlan = {
        func rectangle(_ left: Double, _ low: Double, _ right: Double, _ high: Double) -> PlanPolygon {
            PlanPolygon([
                PlanPoint(x: left, y: low), PlanPoint(x: right, y: low), PlanPoint(x: right, y: high),
                PlanPoint(x: left, y: high),
            ])
        }
        func door(_ x: Double, _ y: Double, _ width: Double) -> FloorPlan.Door {
            FloorPlan.Door(position: PlanPoint(x: x, y: y), width: width)
        }
        return FloorPlan(
            site: "flat", building: "flat", floor: "0",
            outline: PlanPolygon([
                PlanPoint(x: 0, y: 0), PlanPoint(x: 6.3, y: 0), PlanPoint(x: 6.3, y: 4.19),
                PlanPoint(x: 9.07, y: 4.19), PlanPoint(x: 9.07, y: 7.1), PlanPoint(x: 0, y: 7.1),
            ]),
            rooms: [
                FloorPlan.Room(name: "bedroom", polygon: rectangle(0, 2.12, 2.65, 7.1)),
                FloorPlan.Room(name: "living", polygon: rectangle(2.65, 2.12, 6.3, 7.1)),
                FloorPlan.Room(name: "annex", polygon: rectangle(6.3, 4.19, 9.07, 7.1)),
                FloorPlan.Room(name: "hall", polygon: rectangle(0, 0, 3.95, 2.12)),
                FloorPlan.Room(name: "bath", polygon: rectangle(3.95, 0, 6.22, 2.12)),
            ],
            doors: [
                door(1.12, 2.12, 0.8), door(3.29, 2.12, 1.18), door(6.3, 5.96, 2.28), door(3.95, 1.01, 0.82),
            ])
    }()

    private static func room(_ position: PlanPoint) -> Int {
        if position.y > 2.12 { return position.x < 2.65 ? 0 : position.x < 6.3 ? 1 : 2 }
        return position.x <= 3.95 ? 3 : 4
    }
}
