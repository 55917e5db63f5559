import Mustache

/// Renderer of pages: templates, read once.
package struct PageRenderer: Sendable {
    private let library: MustacheLibrary

    /// Reads the templates.
    ///
    /// - Throws: an error of the template language if a template is wrong, which tests of this target show.
    package init() throws {
        library = MustacheLibrary(
            templates: try Dictionary(
                uniqueKeysWithValues: PageTemplate.allCases.map { template in
                    (template.rawValue, try MustacheTemplate(string: String(decoding: template.bytes, as: UTF8.self)))
                }))
    }

    /// Returns a page in HTML.
    package func html(_ page: some PageContent) -> String {
        library.render(page, withTemplate: type(of: page).template.rawValue) ?? ""
    }
}
