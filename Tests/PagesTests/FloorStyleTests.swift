import FloorPlans
import Pages
import Testing

@Suite("Styles of maps") struct FloorStyleTests {
    @Test("The style sheet of pages has each rule of the pictures of floors")
    func rules() {
        let styles = String(decoding: PageAsset.style.bytes, as: UTF8.self)
        let rules = FloorPlanDrawing.styleSheet.split(separator: "\n")
        #expect(rules.count > 10)
        for rule in rules { #expect(styles.contains(rule)) }
    }
}
