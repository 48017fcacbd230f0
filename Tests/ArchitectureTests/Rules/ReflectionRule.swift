/// Names of cases and fields that code takes from reflection metadata, which the SDK's targets have not in a release.
///
/// An error or a value in a text goes by its `description` or `rawValue`, of which the compiler asks that it is there.
enum ReflectionRule {
    /// The targets of the SDK, and the commands that show its values.
    private static let folders = [
        "Sources/Device/", "Sources/Commands/DeviceCommands/", "Sources/Commands/DemoCommands/",
    ]

    static func violations(in file: SourceFile) -> [Violation] {
        guard folders.contains(where: file.path.hasPrefix) else { return [] }
        return file.violations(
            of: "a name by reflection", naming: "reflecting", "dump", "debugPrint",
            where: /\b(Mirror|String)\s*\(\s*reflecting:|\b(dump|debugPrint)\(/)
            + file.violations(
                of: "an error as text by reflection", naming: "error)", "failure)", "self)", where: shownError)
    }

    /// In what is left of a literal by ``SwiftLexer`` a blank stands before an interpolation, no name of a function.
    private static var shownError: Regex<Substring> {
        /(?:\bString\s*\(\s*describing:\s*|\s\()(?:error|failure|self)\)/
    }
}
