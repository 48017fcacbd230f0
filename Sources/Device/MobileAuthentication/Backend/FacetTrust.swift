import BackendTransport
import Foundation
import Locking
import UAF
import UAFClient

/// Facet check: whether this application may use an AppID (FIDO AppID and Facets 1.1 section 3.1).
///
/// Lists are fetched anonymously and kept in memory as long as the server allows; failures are never kept.
final class FacetTrust: Sendable {
    /// A fetched list with its expiry on the monotonic clock.
    private struct Entry: Sendable {
        let response: FacetResponse
        let expiry: Duration
    }

    /// Lists that are kept at most; servers name the addresses.
    static let cacheLimit = 32
    /// Time-out for a list, which is small and fetched while the user waits.
    private static let longestTimeout = Duration.seconds(10)

    private let facetID: FacetID
    private let transport: any HTTPTransport
    private let clock: any MonotonicClock
    private let timeout: Duration
    private let cache = Lock<[String: Entry]>([:])

    init(facetID: FacetID, transport: any HTTPTransport, clock: any MonotonicClock, networkTimeout: Duration) {
        timeout = min(networkTimeout, Self.longestTimeout)
        self.facetID = facetID
        self.transport = transport
        self.clock = clock
    }

    func verdict(on header: OperationHeader) async -> FacetVerdict {
        do throws(BackendTransportError) {
            var isFromCache = false
            if let appID = try await evaluate(header, usingCache: true, &isFromCache) { return trusted(appID) }
            // A cached list may be older than this application: fetch it once more.
            guard isFromCache, let appID = try await evaluate(header, usingCache: false, &isFromCache) else {
                return .untrusted(UntrustedFacetError())
            }
            return trusted(appID)
        } catch {
            return .unreachable(error.forApplication)
        }
    }

    private func trusted(_ appID: AppID) -> FacetVerdict { .trusted(TrustedFacet(appID: appID, facetID: facetID)) }

    /// The effective AppID, or nil when the application may not use it.
    private func evaluate(
        _ header: OperationHeader, usingCache: Bool, _ isFromCache: inout Bool
    ) async throws(BackendTransportError) -> AppID? {
        var evaluation = FacetEvaluation(appID: header.appID, facetID: facetID, version: header.version)
        var step = evaluation.start()
        while true {
            switch step {
            case .allowed(let appID): return appID
            case .refused: return nil
            case .fetch(let url):
                if usingCache, let known = cached(url) {
                    isFromCache = true
                    step = evaluation.resume(known)
                } else {
                    step = evaluation.resume(try await fetch(url))
                }
            }
        }
    }

    /// Response of the server at `url`; nil when it is too long to be a list.
    private func fetch(_ url: String) async throws(BackendTransportError) -> FacetResponse? {
        let request = BackendRequest(
            .get, url, headers: [HeaderFields.Field("Accept", TrustedFacetList.mediaType)],
            responseByteLimit: TrustedFacetList.byteLimit, timeout: timeout)
        let answer: BackendResponse
        do throws(BackendTransportError) {
            answer = try await transport.response(to: request)
        } catch {
            guard case .responseTooLarge = error else { throw error }
            return nil
        }
        let fields = answer.headers.fields.map { FacetResponse.Field(name: $0.name, value: $0.value) }
        let response = FacetResponse(status: answer.status, fields: fields, body: answer.body)
        if answer.status == 200 {
            keep(response, of: url, for: FacetFreshness.lifetime(of: answer))
        }
        return response
    }

    /// Keeps a list as long as the server allows, in the place of those that have expired, or of the one that expires first.
    private func keep(_ response: FacetResponse, of url: String, for lifetime: Duration) {
        let now = clock.now
        cache.withLock { cache in
            cache = cache.filter { $0.value.expiry > now }
            cache[url] = lifetime > .zero ? Entry(response: response, expiry: now + lifetime) : nil
            guard cache.count > Self.cacheLimit else { return }
            let first = cache.filter { $0.key != url }.min { $0.value.expiry < $1.value.expiry }
            if let first { cache[first.key] = nil }
        }
    }

    var cachedCount: Int { cache.withLock { $0.count } }

    private func cached(_ url: String) -> FacetResponse? {
        cache.withLock { $0[url] }.flatMap { $0.expiry > clock.now ? $0.response : nil }
    }
}

/// Freshness lifetime of a list of trusted facets (RFC 9111 sections 5.2 and 5.3): at most a day, and five minutes
/// where the server says nothing.
enum FacetFreshness {
    private static let fallback = Duration.seconds(300)
    private static let longest: Int64 = 86_400

    static func lifetime(of response: BackendResponse) -> Duration {
        let directives = response.headers.values(of: "Cache-Control").flatMap { $0.split(separator: ",") }
            .map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
        if directives.contains("no-store") || directives.contains("no-cache") { return .zero }
        for directive in directives where directive.hasPrefix("max-age=") {
            return bounded(Int64(directive.dropFirst("max-age=".count)) ?? 0)
        }
        guard let expires = response.headers.first("Expires") else { return fallback }
        guard let end = HTTPDate.date(expires), let begin = response.headers.first("Date").flatMap(HTTPDate.date) else {
            return .zero
        }
        return bounded(Int64(end.timeIntervalSince(begin)))
    }

    private static func bounded(_ seconds: Int64) -> Duration { .seconds(min(max(0, seconds), longest)) }
}
