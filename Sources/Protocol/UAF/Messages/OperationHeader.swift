/// The part that every message begins with.
///
/// FIDO UAF Protocol 1.1, 3.1.3. A response carries a copy of the request's header.
public struct OperationHeader: Hashable, Sendable {
    /// How the header names the application, including the three ways of not doing so.
    ///
    /// They mean the same, but a response has to repeat what the request said.
    public enum AppIDMember: Hashable, Sendable {
        /// The member is not there.
        case absent
        /// The member is `null`, the only `null` a reader tolerates.
        case null
        /// The member is the empty string.
        case empty
        /// The member names an application.
        case named(AppID)
    }

    /// Version of the protocol.
    public let version: ProtocolVersion
    /// What the message is about.
    public let operation: Operation
    /// The application as the header spells it.
    public let appIDMember: AppIDMember
    /// What the server wants back unchanged.
    public let serverData: ServerData?
    /// Extensions of the message.
    public let extensions: [MessageExtension]

    /// Makes a header; the member `appID` is left out when there is none.
    public init(
        version: ProtocolVersion = .version11, operation: Operation, appID: AppID?, serverData: ServerData? = nil,
        extensions: [MessageExtension] = []
    ) {
        self.init(
            version: version, operation: operation, appIDMember: appID.map { .named($0) } ?? .absent,
            serverData: serverData, extensions: extensions)
    }

    /// Makes a header that spells the application as given.
    public init(
        version: ProtocolVersion = .version11, operation: Operation, appIDMember: AppIDMember,
        serverData: ServerData? = nil, extensions: [MessageExtension] = []
    ) {
        self.version = version
        self.operation = operation
        self.appIDMember = appIDMember
        self.serverData = serverData
        self.extensions = extensions
    }

    /// The application, or nil when the header leaves it to the caller's FacetID.
    public var appID: AppID? {
        guard case .named(let appID) = appIDMember else { return nil }
        return appID
    }
}
