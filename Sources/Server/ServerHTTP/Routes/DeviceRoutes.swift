import BackendAPI
import HTTPTypes
import Hummingbird
import ServerCore
import UAFService

/// Routes of devices, whose requests carry the signature of the device.
struct DeviceRoutes {
    let shared: RouteServices

    func add(to routes: RouteBuilder) {
        let shared = shared
        routes.add(.deviceCredentials) { exchange in
            try await shared.counted {
                let token = try await shared.services.devices.credentials(
                    of: try exchange.named(), signed: try exchange.deviceSignature(),
                    client: shared.client(of: exchange))
                return exchange.answer(bytes: Array(token.utf8))
            }
        }
        routes.add(.pendingOperations) { exchange in
            try await shared.counted {
                let token = try await shared.services.devices.pendingOperations(
                    of: try exchange.named(), signed: try exchange.deviceSignature(),
                    client: shared.client(of: exchange))
                return exchange.answer(bytes: Array(token.utf8))
            }
        }
        routes.add(.changeDevice) { exchange in
            try await shared.counted {
                try await shared.services.devices.change(
                    try exchange.named(), signed: try exchange.signedBody(), client: shared.client(of: exchange))
                return exchange.empty
            }
        }
        routes.add(.deleteDevice) { exchange in
            try await shared.counted {
                try await shared.services.devices.remove(
                    try exchange.named(), signed: try exchange.deviceSignature(), client: shared.client(of: exchange))
                return exchange.empty
            }
        }
    }
}
