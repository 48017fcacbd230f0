// What the example application takes from os; the names are Apple's, and so is their documentation.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase, TypeNamesShouldBeCapitalized

public final class OSLog: Sendable {
    public init(subsystem: String, category: String) {}
}

public struct OSLogType: Sendable {
    public static let debug = OSLogType()
    public static let error = OSLogType()
    public static let info = OSLogType()
}

public func os_log(_ message: StaticString, log: OSLog, type: OSLogType, _ arguments: any CVarArg...) {}
