import ArgumentParser

/// How a command tells its outcome.
package enum OutputFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
    /// For a person.
    case text
    /// One JSON object on the last line, for programs.
    case json
}
