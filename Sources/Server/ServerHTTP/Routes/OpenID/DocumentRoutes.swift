import BackendAPI
import HTTPTypes
import Hummingbird
import NIOCore

/// Description of all services for programs, as the build has taken it from `docs/web/openapi.yaml`.
struct DocumentRoutes {
    func add(to routes: RouteBuilder) {
        let document = ByteBuffer(bytes: PackageResources.openapi_yaml)
        routes.add(.openAPIDocument) { exchange in
            Response(
                status: .ok,
                headers: [.contentType: exchange.answerType.fieldValue, .cacheControl: "public, max-age=3600"],
                body: ResponseBody(byteBuffer: document))
        }
    }
}
