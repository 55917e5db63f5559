import FloorPlans
import Localisation

/// UJI's recording of a library: three phones among 24 beacons, each position by itself.
///
/// Phones receive and beacons are the anchors. Of each five points of a phone that follow each other in the file, the
/// first three are the survey, and the other two are judged.
enum LibraryConverter {
    static func recordings(_ directory: String) -> [Recording] {
        let folder = directory + "/uji-ble"
        guard let beacons = CSVTable(path: folder + "/dep/lib.csv"),
            let ids = CSVTable(path: folder + "/rss/lib_ids.csv", names: ["id"]),
            let places = CSVTable(path: folder + "/rss/lib_crd.csv", names: ["x", "y"]),
            let readings = CSVTable(
                path: folder + "/rss/lib_rss.csv", names: beacons.rows.indices.map { "rssi_\($0)" })
        else { return [] }
        let receivers = beacons.rows.indices.compactMap { row -> ReceiverSite? in
            guard let x = beacons.number(row, "x"), let y = beacons.number(row, "y") else { return nil }
            return ReceiverSite(path: beacons.text(row, "id") ?? "", floor: 0, position: PlanPoint(x: x, y: y))
        }
        guard let bounds = PlanPolygon(receivers.map(\.position)).bounds else { return [] }
        // The beacons hang at the edges of the hall.
        let margin = 0.5
        let (least, greatest) = (bounds.least, bounds.greatest)
        let plan = FloorPlan(
            site: "uji", building: "library", floor: "0",
            outline: PlanPolygon([
                PlanPoint(x: least.x - margin, y: least.y - margin),
                PlanPoint(x: greatest.x + margin, y: least.y - margin),
                PlanPoint(x: greatest.x + margin, y: greatest.y + margin),
                PlanPoint(x: least.x - margin, y: greatest.y + margin),
            ]))
        return phones.map { phone, name in
            var recording = Recording(
                name: "library_\(name)", plans: [plan], receivers: receivers, readings: [], truth: [], isStatic: true)
            var lastPoint = ""
            var number = -1
            for row in ids.rows.indices {
                guard let id = ids.text(row, "id"), id.hasPrefix(phone), id.utf8.count > 4,
                    let x = places.number(row, "x"), let y = places.number(row, "y")
                else { continue }
                let point = String(id.dropLast(2))
                if point != lastPoint {
                    lastPoint = point
                    number += 1
                }
                let isSurvey = number % 5 < 3
                // The last two digits count the scans of a point, which follow each other.
                let time = Double(row)
                let subject = String(id.dropLast(2))
                for receiver in receivers.indices {
                    guard let rssi = readings.number(row, "rssi_\(receiver)"), rssi < 20 else { continue }
                    if isSurvey {
                        recording.survey.append(
                            SurveyReading(
                                badge: phone, floor: 0, position: PlanPoint(x: x, y: y), receiver: receiver, rssi: rssi,
                                time: time))
                    } else {
                        recording.readings.append(
                            Recording.Reading(time: time, subject: subject, receiver: receiver, rssi: rssi))
                    }
                }
                if !isSurvey {
                    recording.truth.append(
                        Recording.TruePosition(
                            time: time, subject: subject, floor: 0, position: PlanPoint(x: x, y: y), room: nil,
                            isRoomKnown: false))
                }
            }
            return recording
        }
    }

    private static let phones = [("1", "A5"), ("2", "BQ"), ("3", "S6")]
}
