import CBuildInfo
package import OperatorText

extension ProductVersion {
    /// The version and the commit of this build.
    package static var ofBuild: String { text(commit: String(cString: beacon_build_commit())) }
}
