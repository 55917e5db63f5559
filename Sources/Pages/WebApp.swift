/// Files that make a person's pages an application that can be installed on a phone. Pure.
package enum WebApp {
    package static let manifestType = "application/manifest+json"
    package static let workerType = "text/javascript; charset=utf-8"

    /// Web application manifest, in JSON.
    package static let manifest = """
        {"name": "Beacon", "short_name": "Beacon", "description": "Your status after contacts, and your attendance", \
        "id": "/me", "start_url": "\(PageRoute.me.path)", "scope": "/", "display": "standalone", "lang": "en", \
        "theme_color": "#0a58b0", "background_color": "#f5f7f9", "icons": [\(icon(.icon, purpose: "any")), \
        \(icon(.maskableIcon, purpose: "maskable"))]}

        """

    /// Script of the service worker. It changes with the files that it keeps, so that browsers replace it.
    package static let worker = """
        const offline = "\(PageRoute.offline.path)";
        const files = [\(files.map { "\"\($0.path)\"" }.joined(separator: ", "))];

        """ + String(decoding: PackageResources.worker_js, as: UTF8.self)

    /// Files that the page without a network needs.
    static let files: [PageAsset] = [.style, .page, .icon]

    private static func icon(_ asset: PageAsset, purpose: String) -> String {
        "{\"src\": \"\(asset.path)\", \"sizes\": \"any\", \"type\": \"\(asset.contentType)\", "
            + "\"purpose\": \"\(purpose)\"}"
    }
}
