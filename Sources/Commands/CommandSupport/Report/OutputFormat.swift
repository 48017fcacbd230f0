import ArgumentParser

/// Output format of a command.
package enum OutputFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
    /// Text for people.
    case text
    /// One JSON object on the last line, for programs.
    case json
}
