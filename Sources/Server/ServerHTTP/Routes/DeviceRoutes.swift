import BackendAPI
import HTTPTypes
import Hummingbird
import ServerCore

/// Routes of devices, whose requests carry the signature of the device.
struct DeviceRoutes {
    let door: ServiceDoor

    func add(to routes: RouteBuilder) {
        let door = door
        routes.add(.deviceCredentials) { exchange in
            try await door.counted {
                let token = try await door.services.devices.credentials(
                    of: try exchange.named(), signed: try exchange.deviceSignature(), client: door.client(of: exchange))
                return exchange.answer(bytes: Array(token.utf8))
            }
        }
        routes.add(.pendingOperations) { exchange in
            try await door.counted {
                let token = try await door.services.devices.pendingOperations(
                    of: try exchange.named(), signed: try exchange.deviceSignature(), client: door.client(of: exchange))
                return exchange.answer(bytes: Array(token.utf8))
            }
        }
        routes.add(.changeDevice) { exchange in
            try await door.counted {
                try await door.services.devices.change(
                    try exchange.named(), signed: try exchange.signedBody(), client: door.client(of: exchange))
                return exchange.empty
            }
        }
        routes.add(.deleteDevice) { exchange in
            try await door.counted {
                try await door.services.devices.remove(
                    try exchange.named(), signed: try exchange.deviceSignature(), client: door.client(of: exchange))
                return exchange.empty
            }
        }
    }
}
