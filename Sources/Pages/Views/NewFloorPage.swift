/// Forms of a new floor: one that is drawn, and those of another program's file.
package struct NewFloorPage: PageContent {
    package static let template = PageTemplate.newFloor
    package var frame: Frame
    /// Fields of a floor that is to be drawn.
    package var drawing: [PlanTable.Field]
    /// Fields of an import.
    package var importing: [PlanTable.Field]
    /// Mistakes in the file that was to be imported, in sentences.
    package var fileMistakes: [String]
    package var hasFileMistakes: Bool

    package init(
        _ frame: Frame, drawing: [PlanTable.Field], importing: [PlanTable.Field], fileMistakes: [String] = []
    ) {
        self.frame = frame
        self.drawing = drawing
        self.importing = importing
        self.fileMistakes = fileMistakes
        hasFileMistakes = !fileMistakes.isEmpty
    }
}
