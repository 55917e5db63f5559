// Writes the seeds of every corpus, made of the vectors of the tests, into DIRECTORY/<name of the corpus>.
import Advertisement
import BeaconModel
import Glibc

@testable import ParserChecks

guard CommandLine.arguments.count == 2 else {
    print("usage: Seeds DIRECTORY")
    exit(64)
}
let directory = CommandLine.arguments[1]

func write(_ seeds: [[UInt8]], for check: any ParserCheck.Type) {
    let folder = directory + "/" + check.name
    mkdir(directory, 0o777)
    mkdir(folder, 0o777)
    for (index, seed) in seeds.enumerated() {
        if let violation = check.violation(for: seed) { print("\(check.name) \(index): \(violation)") }
        guard let file = fopen("\(folder)/seed-\(index)", "wb") else { continue }
        fwrite(seed, 1, seed.count, file)
        fclose(file)
    }
    print("\(check.name): \(seeds.count) seeds")
}

/// Parts of one advertisement: more to come, more to come, the end; and one that is cut off.
func fragments(_ data: [UInt8], set: UInt8) -> [[UInt8]] {
    let middle = data.count / 2
    return [
        EventPacket.extended(EventPacket.extendedReport(type: 0x20, data: Array(data[..<middle]), set: set)),
        EventPacket.extended(EventPacket.extendedReport(type: 0x20, data: [0x02, 0x01], set: set ^ 1)),
        EventPacket.extended(EventPacket.extendedReport(data: Array(data[middle...]), set: set)),
        EventPacket.extended(EventPacket.extendedReport(type: 0x40, data: [0x06], set: set ^ 1)),
    ]
}

let short = Payload.good.filter { $0.count <= 31 }
let events =
    EventPacket.good + short.map { EventPacket.legacy(EventPacket.legacyReport(data: $0)) }
    + Payload.good.filter { $0.count <= 225 }.map { EventPacket.extended(EventPacket.extendedReport(data: $0)) }
let long = [UInt8](repeating: 0x09, count: 220)
let chains = short.map { fragments($0, set: 1) }
/// 1540 bytes, and the end with so many more: 110 are the most.
func chain(endingWith count: Int) -> [[UInt8]] {
    Array(repeating: EventPacket.extended(EventPacket.extendedReport(type: 0x20, data: long)), count: 7)
        + [EventPacket.extended(EventPacket.extendedReport(data: Array(long.prefix(count))))]
}
let tooLong = Array(repeating: EventPacket.extended(EventPacket.extendedReport(type: 0x20, data: long)), count: 8)
let monitorHeader: (UInt8, [UInt8]) -> [UInt8] = { type, payload in
    [type, 0, 1, 0, UInt8(payload.count), 0] + payload
}

write(Payload.good, for: AdvertisingDataCheck.self)
write(events, for: HCIEventCheck.self)
write(
    chains.map(PacketSequence.input) + [
        PacketSequence.input(tooLong + [EventPacket.extended(EventPacket.extendedReport())]),
        PacketSequence.input(chain(endingWith: 110)), PacketSequence.input(chain(endingWith: 111)),
        // The end comes 6 s later, which is too late.
        PacketSequence.input(Array(chains[0].prefix(1))) + [0x7C, 30] + chains[0][2],
    ], for: FragmentCheck.self)
write(
    (events + chains.flatMap { $0 }).map { PacketSequence.input([$0]) } + chains.map(PacketSequence.input),
    for: PseudonymCheck.self)
write(
    [
        BTSnoop.header(), BTSnoop.header(version: 2), BTSnoop.header(datalink: 1001),
        BTSnoop.header(datalink: BTSnoop.monitor),
        BTSnoop.header() + events.prefix(3).flatMap { BTSnoop.record($0) },
        BTSnoop.header() + BTSnoop.record(events[0], time: -1_000_000_000_000_000),
        BTSnoop.header() + BTSnoop.record(events[0]) + BTSnoop.record(events[1]).dropLast(2),
        BTSnoop.header() + BTSnoop.record(events[0]).prefix(20),
        BTSnoop.header(datalink: BTSnoop.monitor)
            + events.prefix(3).flatMap { BTSnoop.record(Array($0.dropFirst()), flags: 0x0001_0003) }
            + BTSnoop.record([0x00, 0x01], flags: 2),
        BTSnoop.header() + BTSnoop.bigEndian(UInt64(0x0100_0000_0100_0000)) + [UInt8](repeating: 0, count: 16),
    ], for: BTSnoopCheck.self)
write(
    [
        monitorHeader(0, [0, 0, 1, 2, 3, 4, 5, 6] + Array("hci0".utf8)), monitorHeader(1, []),
        monitorHeader(2, [0x03, 0x0C, 0]),
        monitorHeader(2, [0x0C, 0x20, 2, 1, 0]), monitorHeader(2, [0x42, 0x20, 6, 1, 1, 0, 0, 0, 0]),
        monitorHeader(2, [0x0C, 0x20]), monitorHeader(3, [0x10, 1, 0x42]),
        monitorHeader(3, Array(events[0].dropFirst())),
        monitorHeader(8, []), monitorHeader(9, []), monitorHeader(12, [1, 2, 3]), [3, 0, 0],
    ], for: MonitorMessageCheck.self)

write(
    [
        "2026-11-02", "1970-01-01", "1969-12-31", "9999-12-31", "2028-02-29", "2026-02-29", "2026-11-02T09:30:00Z",
        "2026-11-02t09:30:00.123456789z", "2026-11-02 09:30:00+14:00", "1970-01-01T00:00:00+00:01",
        "9999-12-31T23:59:59.999999-23:59", "2026-11-02T24:00:00Z", "2026-11-02T09:30:60Z", "2026-11-02T09:30Z",
    ].map { Array($0.utf8) }, for: DayOrTimeCheck.self)

write(
    [
        "[a]\nb.'c' = 1_0\n[[d]]\nx = [1, 0xF, 2.5e-3, inf, true, { y.z = 'q' },]\n[[d]]\n[d.e]\n",
        "a = \"\"\"\nx \\\n \\u00e9\"\"\"\"\nb = '''y'''\nc = 1979-05-27T07:32:00.5-07:00 # d\r\n",
        "[a.b]\n[a]\nc = {}\nc.d = 1", "a = 1\na = 2", "[[a]]\n[a]", "a = 07:32:00\nb = 1979-05-27 07:32:00Z",
        "a = [}]", "a = \"\\x\"", "a = 0b2", "a = {b = 1,}", "[=]",
    ].map { Array($0.utf8) }, for: TOMLCheck.self)

let floor = "[[floors]]\nsite = \"s\"\nbuilding = \"b\"\nfloor = \"f\"\noutline = [[0, 0], [9, 0], [9, 9], [0, 9]]\n"
let room = "[[floors.rooms]]\nname = \"a\"\npoints = [[0, 0], [5, 0], [5, 5], [0, 5], [0, 0]]\n"
write(
    [
        floor, floor + room, floor + room + room + "capacity = 4\n",
        floor + room.replacing("[5, 0], [5, 5]", with: "[5, 5], [5, 0]"),
        floor + "name = \"F\"\nz = 1.5\nheight = 3\nwall-attenuation = 3\nceiling-attenuation = 12\n",
        floor + room + "[[floors.doors]]\nat = [5, 1]\nwidth = 1\n[[floors.doors]]\nat = [7, 7]\n",
        floor + "[[floors.walls]]\npoints = [[0, 0], [5, 5]]\nattenuation = 9\n",
        floor + "[[floors.passages]]\nkind = \"stairs\"\nname = \"x\"\nat = [1, 1]\n",
        floor + floor, "[[floors]]\noutline = [[0, nan]]", "[[floors]]\noutline = [[0, 0], [1e9, 0], 3]\nx = 1",
    ].map { Array($0.utf8) }, for: PlanFileCheck.self)

write(
    [
        "floors:\n- id: a\n  name: A\n  bounds: [[0, 0, 0], [9, 8, 3]]\n  rooms:\n  - name: r\n    points:\n    - [0, 0]\n"
            + "    - [5, 0]\n    - [5, 5]\nnodes:\n- {name: n, point: [1, 1, 2], floors: [a]}\nmap: {flip_y: false}\ngps: {}\n",
        "floors: [{id: 'b', rooms: [{name: \"q\", points: [[0,0],[1,0],[1,1],[0,0]]}]}]", "a: &x [1]\nfloors: *x",
        "? [a]\n: b", "floors: [", "%YAML 1.1\n--- !t\nfloors: |\n  x\n...\n", "{a: 1, a: 2}", "floors: ~",
    ].map { Array($0.utf8) }, for: CompanionPlanCheck.self)

let formHead = "multipart/form-data; boundary=b\n--b\r\nContent-Disposition: form-data; "
func text(_ parts: String...) -> [UInt8] { Array(parts.joined().utf8) }
write(
    [
        text(
            formHead,
            "name=\"token\"\r\n\r\nt\r\n--b\r\n",
            "Content-Disposition: form-data; name=\"people\"; filename=\"p.csv\"\r\n\r\nnumber,name\r\n",
            "1,Ann\r\n\r\n--b--\r\n"),
        text(
            formHead,
            "name=\"timetable\"; filename=\"\"\r\n\r\n\r\n--b\r\n",
            "Content-Disposition: form-data; name=\"only\"\r\n\r\ncheck\r\n--b--"),
        text(
            "Multipart/Form-Data; charset=utf-8; Boundary=\"b c\"\n--b c\r\n",
            "content-disposition:form-data;name=a\r\nContent-Type: text/plain\r\n\r\n\r\n--b\r\n--b c--"),
        text(formHead, "name=\"f\"; filename=\"C:\\a\\%22b.csv\"\r\n\r\n\r\n--\r\n\r\n--b--\r\n"),
        text(
            formHead,
            "name=\"a\\\"b\"\r\n\r\n1\r\n--b\r\n",
            "Content-Disposition: form-data; name=\"c\"; filename=\"x\"\r\n\r\n--b\r\n--b--"),
        text(formHead, "name=\"a\"\r\n\r\n1\r\n--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n2\r\n--b--"),
        text(formHead, "name=\"a\"\r\nContent-Transfer-Encoding: base64\r\n\r\nMQ==\r\n--b--"),
        text(formHead, "name=\"a\"\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n1\r\n--b--"),
        text(formHead, "name=\"a\"\r\n\r\n1\r\n"),
    ], for: MultipartFormCheck.self)

write(
    [
        text("number,name,contact,subject\n1,Ann,ann@campus.example,phone:a\n2,\"Smith, Bo\",+49 30 1234,\n"),
        text(
            "\u{FEFF}Name;Number;Subject;Contact\r\n",
            "\"Say \"\"Di\"\"\";17;badge:e2c56db5-dffb-48d2-b060-d0f5a71096e0/1/2 phone:b;a@b.example; 030 123\r\n",
            ";17;phone:c;\r\n"),
        text("number,name\n1,Ann\n1,Anna\n,Bo\n=1,=SUM(A1)\n3\n"),
        text(
            "number,name,contact,subject\n1,Ann,nobody,badge:1/2\n2,Bo,,phone:x\n3,Cid,,phone:x c19x:1\n",
            "4,a,b,c,d\n"),
        text("name,subject\nAnn,phone:a\n"),
        text("number,number,name,more\n1,2,Ann,x\n"),
        text("number,name\r1,\"Ann\n"),
        text("number,name\n1,\"Ann \"\"\u{308}x\"\n1,\"Ann \"\"\u{308}x\"\n"),
        text("number,name,contact\n1,Ann,a@b;c@d;e@f;g@h;i@j;k@l\n"),
    ], for: PeopleFileCheck.self)

let png: [UInt8] = [
    0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0x0D, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1, 0, 0, 0, 1, 8,
    0, 0, 0, 0, 0x3A, 0x7E, 0x9B, 0x55, 0, 0, 0, 3, 0x74, 0x45, 0x58, 0x74, 0x61, 0, 0x62, 0xDC, 0x49, 0xA2, 0x3B, 0,
    0, 0, 0x0A, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9C, 0x63, 0xF8, 0x0F, 0, 1, 1, 1, 0, 0xB1, 0x38, 0xF6, 0x14, 0, 0, 0,
    0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82,
]
/// The size of a JPEG, and a scan.
let frame: [UInt8] = [0xFF, 0xC0, 0, 11, 8, 0, 3, 0, 4, 1, 1, 0x11, 0]
let scan: [UInt8] = [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 0x12, 0xFF, 0, 0x34, 0xFF, 0xD0, 0x56]
let orientation: [UInt8] =
    [0xFF, 0xE1, 0, 34] + Array("Exif\0\0MM\0*".utf8)
    + [0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0]
let jpeg: [UInt8] = [0xFF, 0xD8] + orientation + frame + scan + [0xFF, 0xD9]
write(
    [
        png, png + [0x50, 0x4B], Array(png.dropLast(12)), jpeg, [0xFF, 0xD8] + frame + scan + scan + [0xFF, 0xD9],
        Array("%PDF-1.7".utf8), Array("GIF89a".utf8), Array("1234ftypheic".utf8), Array("<svg ".utf8),
    ], for: PictureCheck.self)

write(
    [
        "Order: LC1VLNBF6K\nDate of sampling: 10 Nov 2020\nResult: POSITIVE\n",
        "Auftrags-Nr.: 12-345\nEntnahme am: 27.11.2020 08:15 Uhr\nTestergebnis: nicht nachgewiesen\n",
        "Result\nNEGATIVE\n", "Result: positive\nnegative\n", "not\nResult: detected\n",
        "Abnahme: 13/11/2021\n| Ergebnis; P0SlTIV\n", "https://lab.example/x\neyJhbGci.eyJzdWIi.c2lnbmF0\nHC1:6BF\n",
        "5\t1\t1\t1\t1\t1\t80\t100\t90\t20\t95\tResult:\n5\t1\t1\t1\t1\t2\t480\t99\t90\t20\t95\tpositive\n",
        "5\t1\t1\t1\t1\t1\t5\t900\t9\t80\t90\tBefund:\n5\t1\t1\t1\t1\t2\t5\t400\t9\t80\t90\tnegativ\n",
    ].map { Array($0.utf8) }, for: PictureTextCheck.self)

write(
    [
        #"{"codes":[],"isIncomplete":true}"#,
        #"{"codes":["https://lab.example/x"],"isIncomplete":false,"orderNumber":"LC1VLNBF6K","result":"positive","#
            + #""testDay":19000}"#,
        #"{"codes":["a\u001b\u0000\"","é"],"isIncomplete":false,"result":"unclear"}"#,
        #"{"codes":["1","2","3","4","5","6","7","8","9"],"isIncomplete":false}"#,
        #"{"codes":[],"isIncomplete":false,"testDay":20001}"#,
        #"{"codes":[],"isIncomplete":false,"html":"x","result":null}"#, "[[[[",
    ].map { Array($0.utf8) } + [[0, 1, 2, 3, 0, 0, 0x51, 0x16]], for: PictureReplyCheck.self)

/// Every answer of a peer with BLE-Proximity: handles 1 to 9, characteristics with 3 and 5, a code; and that of C19X.
let answers: [[UInt8]] = [
    [0x03, 0x40, 0x00], [0x07, 0x01, 0x00, 0x09, 0x00],
    [0x09, 0x15, 0x02, 0x00, 0x02, 0x03, 0x00] + Payload.uuid128("9F565547-7415-4EF7-8CDD-E2E9674EF033"),
    [0x09, 0x15, 0x04, 0x00, 0x08, 0x05, 0x00] + Payload.uuid128("B222EBFF-99B4-4BC4-A2E4-717AEF9966A6"),
    [0x01, 0x08, 0x06, 0x00, 0x0A], [0x0B, 1, 2, 3, 4, 5, 6, 7, 8], [0x13],
]
let c19x: [[UInt8]] = [
    [0x07, 0x01, 0x00, 0x09, 0x00],
    [0x09, 0x15, 0x02, 0x00, 0x02, 0x03, 0x00] + Payload.uuid128("FFFFFFFF-EEEE-DDDD-0123-456789ABCDEF"),
    [0x01, 0x08, 0x04, 0x00, 0x0A],
]
let requests: [[UInt8]] = [
    [0x02, 0x17, 0x00], [0x04, 1, 0, 255, 255], [0x10, 1, 0, 255, 255, 0x00, 0x28], [0x1D, 1, 0, 7], [0x52, 1, 0],
]
let framed = answers.flatMap { pdu in
    let frame = [UInt8(pdu.count), 0, 4, 0] + pdu
    return [1, UInt8(frame.count + 5), 0x02, 0x40, 0x20, UInt8(frame.count), 0] + frame
}
// Other numbers of packets choose other ways.
write(
    [answers, c19x, Array(answers.dropFirst()), requests + answers, requests + c19x].flatMap { packets in
        (0..<8).map { PacketSequence.input(packets + Array(repeating: [0x52], count: $0)) }
    } + [framed, PacketSequence.input([[0x03, 0x40, 0x00]]) + framed], for: ExchangeCheck.self)
