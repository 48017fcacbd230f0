import ArgumentParser

/// Output format of a command.
package enum OutputFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
    case text
    /// One JSON object on the last line, for programs.
    case json
}
