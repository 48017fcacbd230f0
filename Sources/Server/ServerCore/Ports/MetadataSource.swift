/// Where metadata documents come from: a file, a directory, the configuration itself.
package protocol MetadataSource: Sendable {
    /// All documents in order; a later one overrides an earlier one.
    ///
    /// Throws ``ServerError/invalidMetadata(name:)`` when one cannot be read.
    func documents() async throws(ServerError) -> [MetadataDocument]
}
