import ArgumentParser

/// How a command prints what came out.
enum ReportFormat: String, ExpressibleByArgument, CaseIterable {
    /// Lines for people.
    case text
    /// One JSON object for scripts.
    case json
}
