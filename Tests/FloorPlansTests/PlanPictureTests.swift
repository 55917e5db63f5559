import FloorPlans
import Testing

@Suite("Pictures under the drawing of a floor") struct PlanPictureTests {
    private static func png(_ width: UInt32, _ height: UInt32) -> [UInt8] {
        var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
        bytes += Array("IHDR".utf8)
        for number in [width, height] {
            for shift in [UInt32(24), 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
        }
        bytes += [8, 2, 0, 0, 0, 0, 0, 0, 0]
        return bytes
    }

    /// A segment of another kind, a fill byte, and the frame header.
    private static let jpeg: [UInt8] =
        [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xFF, 0xC0, 0, 17, 8, 0x02, 0x58, 0x03, 0x20, 3, 1, 0x22, 0]

    @Test("The size of a PNG and of a JPEG file is read")
    func sizes() {
        let png = PlanPicture(Self.png(800, 600))
        #expect(png?.kind == .png)
        #expect(png?.width == 800)
        #expect(png?.height == 600)
        let jpeg = PlanPicture(Self.jpeg)
        #expect(jpeg?.kind == .jpeg)
        #expect(jpeg?.width == 800)
        #expect(jpeg?.height == 600)
    }

    @Test("Whatever is neither, too large, or cut off is refused")
    func refused() {
        #expect(PlanPicture([]) == nil)
        #expect(PlanPicture(Array("<svg xmlns=\"http://www.w3.org/2000/svg\"/>".utf8)) == nil)
        #expect(PlanPicture(Array("GIF89a".utf8) + [UInt8](repeating: 9, count: 40)) == nil)
        #expect(PlanPicture(Self.png(0, 600)) == nil)
        #expect(PlanPicture(Self.png(20_001, 1)) == nil)
        #expect(PlanPicture(Self.png(20_000, 20_000)) == nil)
        #expect(PlanPicture(Self.png(.max, .max)) == nil)
        #expect(PlanPicture([0xFF, 0xD8, 0xFF, 0xDA, 0, 4, 1, 2, 0xFF, 0xC0, 0, 17, 8, 2, 2, 2, 2, 2]) == nil)
        #expect(PlanPicture(Self.png(8, 8) + [UInt8](repeating: 0, count: PlanPicture.mostBytes)) == nil)
        for count in 0..<Self.jpeg.count - 4 { #expect(PlanPicture(Array(Self.jpeg.prefix(count))) == nil) }
    }

    @Test("Two points with a known distance give the scale and the place")
    func underlay() throws {
        // 100 pixels are 5 m; the first point is 20 pixels from the left and 40 from the top.
        let underlay = try #require(
            PlanUnderlay(
                href: "x", size: (800, 600), first: PlanPoint(x: 20, y: 40), second: PlanPoint(x: 120, y: 40),
                distance: 5, place: PlanPoint(x: 1, y: 30)))
        #expect(underlay.width == 40)
        #expect(underlay.height == 30)
        #expect(underlay.left == 0)
        #expect(underlay.top == 32)
    }

    @Test("Two equal points, and a scale of no floor, are refused")
    func noScale() {
        func underlay(_ x: Double, _ distance: Double) -> PlanUnderlay? {
            PlanUnderlay(
                href: "x", size: (800, 600), first: PlanPoint(x: 0, y: 0), second: PlanPoint(x: x, y: 0),
                distance: distance, place: PlanPoint(x: 0, y: 0))
        }
        #expect(underlay(0, 5) == nil)
        #expect(underlay(10, 0) == nil)
        #expect(underlay(1, 1e6) == nil)
        #expect(underlay(100, 5) != nil)
    }
}
