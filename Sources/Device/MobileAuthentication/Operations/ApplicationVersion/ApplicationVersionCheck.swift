import BackendTransport
import Foundation

/// Asks a server which versions of this application it wants.
///
/// It needs no client and no registration, and blocks nothing: the application decides what follows from the answer, and what
/// from its absence. Every access to ``Configuration/applicationVersionCheck`` gives a new one, which runs once.
///
/// ```swift
/// let wanted = try await configuration.applicationVersionCheck.version("5.1.0").perform()
/// switch wanted.status {
/// case .blocked, .updateRequired: show(wanted.messages["en"] ?? "Please update this app.")
/// default: show("Welcome")
/// }
/// ```
public protocol ApplicationVersionCheck: HttpOperation {
    /// The version of the application, one to four numbers with dots; the default is the one of its bundle.
    @discardableResult
    func version(_ version: String) -> Self

    /// The facet of the application; the default is ``MetaData/applicationFacetId``.
    @discardableResult
    func facet(_ facet: String) -> Self

    /// Called once with the answer.
    @discardableResult @preconcurrency
    func onSuccess(_ handler: @escaping @MainActor (WantedApplicationVersion) -> Void) -> Self

    /// Called once with the error when there is no answer.
    @discardableResult @preconcurrency
    func onError(_ handler: @escaping @MainActor (ApplicationVersionError) -> Void) -> Self

    /// Asks the server and waits for its answer.
    func perform() async throws(ApplicationVersionError) -> WantedApplicationVersion
}

extension Configuration {
    /// Asks the server of this configuration which versions of the application it wants.
    public var applicationVersionCheck: any ApplicationVersionCheck {
        ApplicationVersionOperation(self) { () throws(InitializationError) -> any HTTPTransport in
            try PlatformTransport.make(for: self)
        }
    }
}

struct ApplicationVersionOperation: ApplicationVersionCheck, DraftedOperation {
    struct Draft: HeaderDraft {
        var version = Bundle.main.infoDictionary?["CFBundleShortVersionString"] as? String ?? ""
        var facet = MetaData.applicationFacetId
        var headers: [String: String] = [:]
    }

    let state: OperationState<Draft, WantedApplicationVersion, ApplicationVersionError>

    /// Asks over the transport that `open` opens.
    init(
        _ configuration: Configuration, clock: any CivilClock = SystemCivilClock(),
        over open: @escaping @Sendable () throws(InitializationError) -> any HTTPTransport
    ) {
        let reuse = ApplicationVersionError.Unknown(cause: OperationReuseError())
        state = OperationState(Draft(), reuse: .failure(reuse)) { draft in
            do throws(ApplicationVersionError) {
                let transport = try Self.opened(open)
                return .success(
                    try await ApplicationVersionExchange(configuration, transport, clock, headers: draft.headers)
                        .wanted(draft.facet, draft.version))
            } catch {
                return .failure(error)
            }
        }
    }

    func version(_ version: String) -> Self { with { $0.version = version } }

    func facet(_ facet: String) -> Self { with { $0.facet = facet } }

    func perform() async throws(ApplicationVersionError) -> WantedApplicationVersion { try await state.perform() }

    private static func opened(
        _ open: () throws(InitializationError) -> any HTTPTransport
    ) throws(ApplicationVersionError) -> any HTTPTransport {
        do throws(InitializationError) {
            return RetryingTransport(try open(), clock: SystemMonotonicClock())
        } catch {
            throw .Unknown(cause: error.cause ?? error)
        }
    }
}
