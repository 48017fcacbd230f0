import BackendAPI
import HTTPTypes
import Hummingbird
import NIOCore

/// Description of all services for programs, as the build has taken it from `docs/openapi.yaml`; and the keys of receipts.
struct DocumentRoutes {
    let shared: RouteServices
    let sites: WebSiteServices

    func add(to routes: RouteBuilder) {
        let document = ByteBuffer(bytes: PackageResources.openapi_yaml)
        routes.add(.openAPIDocument) { exchange in
            Self.response(document, as: exchange.answerType, seconds: 3_600)
        }
        guard let receipts = sites.receipts else { return }
        routes.add(.receiptKeySet) { exchange in
            let keys = try await receipts.keySetDocument
            return Self.response(ByteBuffer(bytes: keys), as: exchange.answerType, seconds: 300)
        }
    }

    /// Answer that is the same for everybody, for so many seconds.
    private static func response(_ body: ByteBuffer, as type: BackendAPI.MediaType, seconds: Int) -> Response {
        Response(
            status: .ok,
            headers: [.contentType: type.fieldValue, .cacheControl: "public, max-age=\(seconds)"],
            body: ResponseBody(byteBuffer: body))
    }
}
