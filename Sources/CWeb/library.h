// The functions of libwebsockets that are used, loaded when the first server or connection is opened.
#pragma once

#include <stdbool.h>
#include <libwebsockets.h>

#define CWEB_FUNCTIONS(each) \
    each(lws_set_log_level) each(lws_create_context) each(lws_context_destroy) each(lws_service) \
    each(lws_cancel_service) each(lws_get_vhost_by_name) each(lws_get_context) \
    each(lws_context_user) each(lws_hdr_total_length) each(lws_hdr_copy) each(lws_hdr_copy_fragment) \
    each(lws_add_http_header_status) each(lws_add_http_header_by_name) each(lws_add_http_header_content_length) \
    each(lws_finalize_http_header) each(lws_write) each(lws_callback_on_writable) each(lws_http_transaction_completed) \
    each(lws_set_timeout) each(lws_is_final_fragment) each(lws_frame_is_binary) each(lws_close_reason) \
    each(lws_get_socket_fd) each(lws_remaining_packet_payload) each(lws_client_connect_via_info) \
    each(lws_set_timer_usecs) each(lws_adopt_socket_vhost) each(lws_adopt_descriptor_vhost)

#define CWEB_MEMBER(name) __typeof__(&name) name;
typedef struct cweb_library { CWEB_FUNCTIONS(CWEB_MEMBER) } cweb_library;

/// The path of the WebSocket.
#define CWEB_LIVE_PATH "/live"

/// The functions, once cweb_load has returned true.
extern cweb_library cweb_lws;

/// Loads the library, once; false if it or one of its functions is missing. Thread: any.
bool cweb_load(void);
